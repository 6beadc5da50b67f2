// The charts of one quantity: where in the rack, how it is spread, and between which ends.
import { Chart, axis, tooltip } from "./chart.js";
import { failedIn, isNone, limitText, quantile, ratioOf, sorted, valueOf } from "./data.js";
import { SIGNS } from "./dom.js";
import { quantity as text } from "./quantity.js";

// Over the limit by a tenth and more is one colour: what matters is how near it is.
const RATIOS = { min: 0.9, max: 1.1 };
// So many rows of a map are seen at once.
const ROWS = 40;
const NO_VERDICT = new Set(["untested", "unjudged", "waived"]);

function outcomeOf(data, quantity, number) {
  return data.codes[quantity.codes[number]].outcome;
}

function told(data, quantity, number) {
  const parts = [data.subjects[quantity.subjects[number]], quantity.name];
  const value = valueOf(quantity, number);
  if (value !== undefined) parts.push(text(value, quantity.unit));
  const limit = limitText(quantity, number);
  if (limit) parts.push(`limit ${limit}`);
  parts.push(outcomeOf(data, quantity, number));
  return parts.join("\n");
}

// One box of a map: colour by the ratio to the limit, and a sign where colour would not do.
function box(data, quantity, number, x, y, middle) {
  const outcome = outcomeOf(data, quantity, number);
  let ratio = ratioOf(quantity, number);
  const value = valueOf(quantity, number);
  // Without a limit the distance from the middle says which are unlike the others.
  if (ratio === undefined && value > 0 && middle > 0) {
    ratio = quantity.more ? value / middle : middle / value;
  }
  const sign = outcome === "pass" ? "" : SIGNS[outcome];
  return { value: [x, y, ratio ?? 1, number], sign, failed: outcome === "fail", none: NO_VERDICT.has(outcome) };
}

function mapOf(data, quantity, boxes, columns, rows, names, colour) {
  const measure = quantity.codes.some((_, number) => limitText(quantity, number)) ? "its limit" : "the median";
  const large = rows.length > ROWS;
  return {
    tooltip: tooltip(colour, (at) => told(data, quantity, at.data.value[3])),
    grid: { left: 8, right: 16, top: 8, bottom: 64, containLabel: true },
    xAxis: axis(colour, names[0], undefined, {
      type: "category", data: columns, splitLine: { show: false },
      axisLabel: { color: colour.soft, hideOverlap: true, width: 90, overflow: "truncate" },
    }),
    yAxis: axis(colour, "", undefined, {
      type: "category", data: rows, inverse: true, splitLine: { show: false },
      axisLabel: { color: colour.soft, hideOverlap: true, width: 140, overflow: "truncate" },
    }),
    dataZoom: large
      ? [{ type: "slider", yAxisIndex: 0, startValue: 0, endValue: ROWS - 1, right: 0, width: 12,
        showDetail: false, brushSelect: false }]
      : [],
    visualMap: {
      type: "continuous", dimension: 2, ...RATIOS, calculable: false, orient: "horizontal",
      left: "center", bottom: 0, itemHeight: 120, textStyle: { color: colour.soft },
      text: [`110 % of ${measure} or more`, "90 % or less"],
      inRange: { color: colour.steps },
    },
    series: [{
      type: "heatmap",
      data: boxes.map((one) => ({
        value: one.value,
        label: { show: one.sign !== "", formatter: one.sign, color: one.none ? colour.unsure : "#ffffff",
          fontWeight: "bold" },
        itemStyle: {
          ...(one.none ? { color: colour.ground } : one.failed ? { color: colour.fill } : {}),
          borderColor: one.failed ? colour.fail : one.none ? colour.unsure : colour.ground,
          borderWidth: one.failed || one.none ? 2 : 1,
          borderType: one.none ? "dashed" : "solid",
        },
      })),
      emphasis: { itemStyle: { borderColor: colour.ink, borderWidth: 2 } },
      progressive: 5000,
    }],
  };
}

/** Hosts down, devices across. For quantities of devices and of nodes. */
export function rackChart(data, current, open) {
  // One box alone says nothing.
  const fits = () => current() && current().count > 1 && (current().kind === "device" || current().kind === "node");
  // Of more hosts than are seen at once, those with trouble come first.
  const rows = () => {
    const trouble = new Map();
    current().subjects.forEach((subject, number) => {
      const gravity = { fail: 2, untested: 1, unjudged: 1 }[outcomeOf(data, current(), number)] ?? 0;
      trouble.set(data.host[subject], Math.max(gravity, trouble.get(data.host[subject]) ?? 0));
    });
    const few = trouble.size <= ROWS;
    return [...trouble.keys()].sort((a, b) => (few ? 0 : trouble.get(b) - trouble.get(a)) || a - b);
  };
  return new Chart({
    height: () => Math.min(rows().length, ROWS) * 26 + 110,
    onclick: (event) => open(current(), event.data.value[3]),
    sentence: () =>
      `${current().name} over ${rows().length} hosts: ${failedIn(data, current())} of ` +
      `${current().count} failed. Failed ones hold ✗, untested ones –.`,
    draw: (colour) => {
      if (!fits()) return null;
      const quantity = current();
      const order = rows();
      const row = new Map(order.map((host, y) => [host, y]));
      const middle = quantile(sorted(quantity), 0.5);
      // A device that the inventory lacks has no slot: it comes behind those of its host, over none of them.
      const next = new Map();
      const slotOf = (subject) => (quantity.kind === "node" || isNone(data.slot[subject]) ? -1 : data.slot[subject]);
      for (const subject of quantity.subjects) {
        const host = data.host[subject];
        next.set(host, Math.max(next.get(host) ?? 0, slotOf(subject) + 1));
      }
      const boxes = Array.from(quantity.subjects, (subject, number) => {
        const host = data.host[subject];
        let x = slotOf(subject);
        if (x < 0) {
          x = next.get(host);
          next.set(host, x + 1);
        }
        return box(data, quantity, number, x, row.get(host), middle);
      });
      const wide = boxes.reduce((most, one) => Math.max(most, one.value[0]), 0) + 1;
      const columns = quantity.kind === "node" ? ["node"] : Array.from({ length: wide }, (_, x) => `${x}`);
      return mapOf(data, quantity, boxes, columns, order.map((host) => data.hosts[host]),
        [quantity.kind === "node" ? "" : "device"], colour);
    },
  });
}

/** From each end down to each end across. For quantities of links. */
export function pairsChart(data, current, open) {
  const ends = () => [...new Set(Array.from(current().subjects).flatMap((s) => [data.from[s], data.to[s]]))]
    .sort((a, b) => a - b);
  return new Chart({
    height: () => Math.min(ends().length, ROWS) * 16 + 190,
    onclick: (event) => open(current(), event.data.value[3]),
    sentence: () =>
      `${current().name} between ${ends().length} ends: ${failedIn(data, current())} of ` +
      `${current().count} links failed. From the row to the column; failed ones hold ✗.`,
    draw: (colour) => {
      if (!current() || current().kind !== "link" || !data.from) return null;
      const quantity = current();
      const order = ends();
      const place = new Map(order.map((end, i) => [end, i]));
      const middle = quantile(sorted(quantity), 0.5);
      const boxes = Array.from(quantity.subjects, (subject, number) =>
        box(data, quantity, number, place.get(data.to[subject]), place.get(data.from[subject]), middle));
      const names = order.map((end) => data.ends[end]);
      return mapOf(data, quantity, boxes, names, names, [""], colour);
    },
  });
}

const BARS = 60;

function binsOf(numbers) {
  const low = numbers[0];
  const high = numbers[numbers.length - 1];
  const width = (high - low) / BARS || Math.abs(low) / BARS || 1;
  const bins = new Array(high > low ? BARS : 1).fill(0);
  for (const value of numbers) bins[Math.min(Math.floor((value - low) / width), bins.length - 1)] += 1;
  return bins.map((count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count }));
}

function linesOf(quantity, colour) {
  const lines = [];
  const add = (values, name, tone) => {
    const known = values ? Array.from(values).filter((value) => !Number.isNaN(value)) : [];
    const different = [...new Set(known)];
    for (const value of different.slice(0, 3)) {
      lines.push({
        xAxis: value,
        lineStyle: { color: tone, width: 2, type: name === "expected" ? "dashed" : "solid" },
        label: { formatter: `${name} ${text(value, quantity.unit)}`, color: colour.ink, position: "end" },
      });
    }
  };
  add(quantity.low, "limit", colour.fail);
  add(quantity.high, "limit", colour.fail);
  add(quantity.expected, "expected", colour.soft);
  return lines;
}

/** How many cells have which number; each that failed is a mark of its own. */
export function spreadChart(data, current, open) {
  const named = () => {
    const numbers = sorted(current());
    const part = (share) => text(quantile(numbers, share), current().unit);
    return `${current().name}: ${numbers.length} numbers from ${part(0)} to ${part(1)}, median ${part(0.5)}, ` +
      `the middle nine tenths from ${part(0.05)} to ${part(0.95)}.`;
  };
  return new Chart({
    height: 300,
    onclick: (event) => event.seriesIndex === 1 && open(current(), event.data[2]),
    sentence: named,
    draw: (colour, pixels) => {
      const numbers = current() ? sorted(current()) : [];
      if (numbers.length < 2) return null;
      const quantity = current();
      const bins = binsOf(numbers);
      const failed = [];
      quantity.codes.forEach((code, number) => {
        const value = quantity.values[number];
        if (data.codes[code].outcome === "fail" && !Number.isNaN(value)) failed.push([value, 0, number]);
      });
      const marks = linesOf(quantity, colour);
      const all = [...marks.map((mark) => mark.xAxis), bins[0].from, bins[bins.length - 1].to];
      const range = Math.max(...all) - Math.min(...all);
      const room = (range || Math.abs(all[0])) * 0.05;
      const bar = (pixels * 0.85 * (bins[0].to - bins[0].from)) / (range + 2 * room);
      return {
        tooltip: tooltip(colour, (at) => at.seriesIndex === 1
          ? told(data, quantity, at.data[2])
          : `${at.data[1]} cells\n${text(at.data[2], quantity.unit)} to ${text(at.data[3], quantity.unit)}`),
        grid: { left: 16, right: 32, top: 40, bottom: 48, containLabel: true },
        xAxis: axis(colour, quantity.name, (value) => text(value, quantity.unit),
          { type: "value", min: Math.min(...all) - room, max: Math.max(...all) + room, scale: true,
            splitLine: { show: false } }),
        yAxis: axis(colour, "cells", undefined, { type: "value", minInterval: 1 }),
        series: [
          { type: "bar", barWidth: Math.max(2, bar), itemStyle: { color: colour.link },
            data: bins.map((bin) => [(bin.from + bin.to) / 2, bin.count, bin.from, bin.to]),
            markLine: { symbol: "none", data: marks, silent: true } },
          { type: "scatter", symbol: "path://M0,0L10,10M10,0L0,10", symbolSize: 12, data: failed,
            itemStyle: { color: colour.fail, borderColor: colour.fail, borderWidth: 2 } },
        ],
      };
    },
  });
}
