// Reads the document that reports/html/data.cpp writes: each quantity as columns, one entry a cell.

import { quantity as text } from "./quantity.js";

const NONE = 0xffffffff;

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

const words = (text) => new Uint32Array(bytesOf(text));

// A column is an array, or one number for all.
function column(value, count) {
  if (value === undefined) return null;
  if (typeof value === "string") return new Float32Array(bytesOf(value));
  return new Float32Array(count).fill(value ?? NaN);
}

function subjectsOf(raw, count) {
  if (typeof raw === "string") return words(raw);
  return Uint32Array.from({ length: count }, (_, i) => raw + i);
}

function quantityOf(raw, index) {
  const codes = new Uint8Array(bytesOf(raw.codes));
  const parameters = Object.entries(raw.parameters).map(([key, value]) => `${key}=${value}`);
  const rest = Object.entries(raw.parameters)
    .filter(([key]) => key !== "bytes")
    .map(([key, value]) => `${key}=${value}`);
  return {
    ...raw,
    index,
    count: codes.length,
    codes,
    name: [raw.metric, ...parameters].join(" "),
    // What a curve over sizes has in common.
    curve: [raw.step, [raw.metric, ...rest].join(" "), raw.kind],
    subjects: subjectsOf(raw.subjects, codes.length),
    values: column(raw.values, codes.length),
    low: column(raw.low, codes.length),
    high: column(raw.high, codes.length),
    expected: column(raw.expected, codes.length),
  };
}

/** What the page knows: quantities with their cells, and the names of subjects, hosts and ends. */
export function read(source) {
  const raw = JSON.parse(source);
  if (raw.version !== 1) throw new Error(`data of version ${raw.version}`);
  const quantities = raw.quantities.map(quantityOf);
  const notes = new Map();
  for (const [quantity, number, reason, causes, numbers, recorded] of raw.notes) {
    notes.set(`${quantity}-${number}`, { reason, causes, numbers, recorded });
  }
  const curves = new Map();
  for (const [cells, seconds, series] of raw.curves) {
    const recorded = {
      seconds,
      series: series.map(([name, subject, unit, times, values]) => ({
        name, subject, unit, times: new Float32Array(bytesOf(times)), values: new Float32Array(bytesOf(values)),
      })),
    };
    for (const [quantity, number] of cells) curves.set(`${quantity}-${number}`, recorded);
  }
  return {
    run: raw.run,
    quantities,
    codes: raw.codes.map(([outcome, reason, required]) => ({ outcome, reason, required })),
    subjects: raw.subjects,
    hosts: raw.hosts,
    host: words(raw.host),
    slot: words(raw.slot),
    ends: raw.ends ?? [],
    from: raw.from ? words(raw.from) : null,
    to: raw.to ? words(raw.to) : null,
    notes,
    curves,
    cells: quantities.reduce((sum, quantity) => sum + quantity.count, 0),
  };
}

export const isNone = (value) => value === NONE;

const known = (value) => (value === undefined || Number.isNaN(value) ? undefined : value);

/** What was measured; undefined where nothing was. */
export const valueOf = (quantity, number) => known(quantity.values?.[number]);

/** The limits that the value has to keep, undefined where there is none. */
export const limitsOf = (quantity, number) =>
  ({ low: known(quantity.low?.[number]), high: known(quantity.high?.[number]) });

/** "≥ 10 GB/s, ≤ 12 GB/s"; empty without a limit. */
export function limitText(quantity, number) {
  const { low, high } = limitsOf(quantity, number);
  return [low !== undefined && `≥ ${text(low, quantity.unit)}`, high !== undefined && `≤ ${text(high, quantity.unit)}`]
    .filter((part) => part).join(", ");
}

/** Value over limit, turned round for an upper one: below 1 it is out of a limit. */
export function ratioOf(quantity, number) {
  const value = valueOf(quantity, number);
  const { low, high } = limitsOf(quantity, number);
  const ratios = [low !== undefined ? value / low : NaN, high !== undefined ? high / value : NaN]
    .filter((ratio) => Number.isFinite(ratio));
  return ratios.length > 0 ? Math.min(...ratios) : undefined;
}

/** Of a number without a limit: what that says. */
export const withoutLimit = (outcome) => (outcome === "verified" || outcome === "unjudged" ? "verified only" : "none");

export const failedIn = (data, quantity) =>
  quantity.codes.reduce((sum, code) => sum + (data.codes[code].outcome === "fail" ? 1 : 0), 0);

/** The numbers of a quantity, sorted. */
export function sorted(quantity) {
  if (!quantity.values) return new Float32Array(0);
  return quantity.values.filter((value) => !Number.isNaN(value)).sort();
}

/** Between two neighbours where the place falls between them; of sorted numbers. */
export function quantile(numbers, share) {
  if (numbers.length === 0) return NaN;
  const place = share * (numbers.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, numbers.length - 1);
  return numbers[below] + (numbers[above] - numbers[below]) * (place - below);
}
