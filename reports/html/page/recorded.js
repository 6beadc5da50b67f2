// What was recorded around the measurement of a cell: a small chart for each series, one time axis.
import { Chart, axis, tooltip } from "./chart.js";
import { quantity } from "./quantity.js";

// Counts and shares have the unit 1, and a counter's rate 1/s.
const text = (value, unit) => quantity(value, unit === "1" ? "#" : unit).replace(/ #$/, "").replace(/ 1\/s$/, " a second");

function seriesChart(one, seconds) {
  const range = one.values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const last = one.times[one.times.length - 1];
  const time = (value) => text(Number(value.toPrecision(3)), "s");
  return new Chart({
    height: 150,
    sentence: () => `${one.name}${one.subject ? ` of ${one.subject}` : ""}: from ${text(range[0], one.unit)} to ` +
      `${text(range[1], one.unit)}.`,
    draw: (colour) => ({
      tooltip: { trigger: "axis", ...tooltip(colour, (at) =>
        `${time(at[0].data[0])} after it began\n${text(at[0].data[1], one.unit)}`) },
      grid: { left: 16, right: 24, top: 12, bottom: 24, containLabel: true },
      xAxis: axis(colour, "", time,
        { type: "value", min: Math.min(0, one.times[0]), max: Math.max(seconds, last) }),
      yAxis: axis(colour, "", (value) => text(value, one.unit), { type: "value", scale: true, splitNumber: 3 }),
      series: [{
        type: "line", symbol: "none", step: one.unit === "ratio" ? "end" : false,
        lineStyle: { color: colour.link, width: 1.5 },
        data: Array.from(one.times, (at, i) => [at, one.values[i]]),
        markArea: { silent: true, itemStyle: { color: colour.line, opacity: 0.5 },
          data: [[{ xAxis: 0 }, { xAxis: seconds }]] },
      }],
    }),
  });
}

/** The charts of a cell's curves, as {element, update, drop}; null when there are none. */
export function recordedCharts(curves) {
  if (!curves) return null;
  const charts = curves.series.map((one) => seriesChart(one, curves.seconds));
  const element = document.createElement("div");
  element.append(...charts.map((chart) => chart.element));
  return {
    element,
    update: () => charts.forEach((chart) => chart.update()),
    drop: () => charts.forEach((chart) => chart.drop()),
  };
}
