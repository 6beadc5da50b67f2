// Speed against message size: the quantities that differ in nothing but their bytes, as one curve.
import { Chart, axis, tooltip } from "./chart.js";
import { limitsOf, quantile, sorted } from "./data.js";
import { quantity as text } from "./quantity.js";

/** [{name, sizes: [quantity...]}], each with two sizes or more. */
export function curvesIn(data) {
  const all = new Map();
  for (const quantity of data.quantities) {
    if (quantity.size === undefined || quantity.size <= 0 || !quantity.values) continue;
    const key = quantity.curve.join("\n");
    if (!all.has(key)) all.set(key, []);
    all.get(key).push(quantity);
  }
  const curves = [];
  for (const sizes of all.values()) {
    if (sizes.length < 2) continue;
    sizes.sort((a, b) => a.size - b.size);
    curves.push({ name: `${sizes[0].curve[1]}, step ${sizes[0].step}`, unit: sizes[0].unit, sizes });
  }
  return curves;
}

const positive = (points) => points.filter(([, value]) => value > 0);

function pointsOf(curve) {
  const points = { median: [], worst: [], limit: [], expected: [] };
  for (const quantity of curve.sizes) {
    const numbers = sorted(quantity);
    if (numbers.length === 0) continue;
    points.median.push([quantity.size, quantile(numbers, 0.5)]);
    points.worst.push([quantity.size, quantity.more ? numbers[0] : numbers[numbers.length - 1]]);
    const { low, high } = limitsOf(quantity, 0);
    const limit = low ?? high;
    if (limit !== undefined) points.limit.push([quantity.size, limit]);
    const expected = quantity.expected?.[0];
    if (expected > 0) points.expected.push([quantity.size, expected]);
  }
  return points;
}

export function curveChart(current) {
  return new Chart({
    height: 360,
    sentence: () => {
      const points = pointsOf(current()).median;
      const last = points[points.length - 1];
      return `${current().name}: ${points.length} sizes from ${text(points[0][0], "B")} to ` +
        `${text(last[0], "B")}; the median at the largest is ${text(last[1], current().unit)}.`;
    },
    draw: (colour) => {
      if (!current()) return null;
      const { unit } = current();
      const points = pointsOf(current());
      const line = (name, tone, type, symbol) => ({
        name, type: "line", data: positive(points[name]), symbol, symbolSize: 7,
        lineStyle: { color: tone, type, width: 2 }, itemStyle: { color: tone },
      });
      return {
        tooltip: tooltip(colour, (at) =>
          `${at.seriesName} at ${text(at.data[0], "B")}\n${text(at.data[1], unit)}`),
        legend: { textStyle: { color: colour.ink }, top: 0 },
        grid: { left: 16, right: 24, top: 40, bottom: 48, containLabel: true },
        xAxis: axis(colour, "message size", (value) => text(value, "B"), { type: "log", logBase: 2 }),
        yAxis: axis(colour, "", (value) => text(value, unit), { type: "log" }),
        series: [
          line("median", colour.link, "solid", "circle"),
          line("worst", colour.fail, "dotted", "triangle"),
          line("limit", colour.unsure, "solid", "none"),
          line("expected", colour.soft, "dashed", "none"),
        ].filter((series) => series.data.length > 0),
      };
    },
  });
}
