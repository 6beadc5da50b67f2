// The parts of ECharts that the page uses, and what all its charts have in common. A chart is a
// picture with a sentence that says what is in it; its numbers stand in the tables.
import { BarChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  DataZoomComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent,
  TooltipComponent, VisualMapComponent,
} from "echarts/components";
import * as core from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { h } from "./dom.js";

core.use([BarChart, HeatmapChart, LineChart, ScatterChart, DataZoomComponent, GridComponent,
  LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, VisualMapComponent, CanvasRenderer]);

const drawn = new Set();

/** The page's own colours, as they are now: light, dark or printed. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of("ink"), soft: of("soft"), line: of("line"), ground: of("ground"), panel: of("panel"),
    pass: of("pass"), fail: of("fail"), fill: of("fill"), unsure: of("unsure"), link: of("link"),
    steps: [of("ramp-0"), of("ramp-1"), of("ramp-2"), of("ramp-3")],
  };
}

/**
 * A chart in a figure: draw(colours, pixels across) gives ECharts' option, or null when there is nothing
 * to draw; sentence() says in words what is seen. onclick gets what was clicked.
 */
export class Chart {
  constructor({ draw, sentence, height = 320, onclick }) {
    this.draw = draw;
    this.sentence = sentence;
    this.height = height;
    this.onclick = onclick;
    this.caption = h("figcaption", {});
    this.place = h("div", { class: "chart", role: "img" });
    this.element = h("figure", {}, this.caption, this.place);
    drawn.add(this);
  }

  update() {
    const option = this.draw(colours(), this.element.parentElement?.clientWidth ?? 0);
    this.element.hidden = option === null;
    if (option === null) return;
    const sentence = this.sentence();
    this.caption.textContent = sentence;
    this.place.setAttribute("aria-label", sentence);
    this.place.style.height = `${typeof this.height === "function" ? this.height() : this.height}px`;
    if (!this.place.isConnected || this.place.clientWidth === 0) return;
    if (!this.chart) {
      this.chart = core.init(this.place, null, { renderer: "canvas" });
      if (this.onclick) this.chart.on("click", (event) => this.onclick(event));
    }
    this.chart.resize();
    this.chart.setOption({ animation: false, ...option }, { notMerge: true });
  }

  /** It will not be seen again. */
  drop() {
    drawn.delete(this);
    this.chart?.dispose();
  }
}

/** Foreign text is drawn, not parsed: tooltips are text too. */
export const tooltip = (colour, formatter) => ({
  renderMode: "richText",
  confine: true,
  backgroundColor: colour.panel,
  borderColor: colour.line,
  textStyle: { color: colour.ink, fontSize: 12 },
  formatter,
});

export const axis = (colour, name, format, more = {}) => ({
  name,
  nameLocation: "middle",
  nameGap: 32,
  nameTextStyle: { color: colour.soft },
  axisLabel: { color: colour.soft, formatter: format, hideOverlap: true },
  axisLine: { lineStyle: { color: colour.line } },
  splitLine: { lineStyle: { color: colour.line } },
  ...more,
});

/** Draws all charts again when the room they have or the colours change, and for paper. */
export function watch(settled) {
  const all = settled(() => drawn.forEach((chart) => chart.update()));
  window.addEventListener("resize", all);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  window.addEventListener("beforeprint", () => drawn.forEach((chart) => chart.update()));
}
