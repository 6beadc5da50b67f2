// Reads the document that reports/html/data.cpp writes: each quantity as columns, one entry a cell.

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
export function read(text) {
  const raw = JSON.parse(text);
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

/** The limit that the value has to keep; undefined where it has none. */
export function limitOf(quantity, number) {
  const low = quantity.low?.[number];
  const high = quantity.high?.[number];
  if (low !== undefined && !Number.isNaN(low)) return low;
  return high !== undefined && !Number.isNaN(high) ? high : undefined;
}

/** Value over limit, turned round where less is better: below 1 it is out of the limit. */
export function ratioOf(quantity, number) {
  const value = quantity.values?.[number];
  const limit = limitOf(quantity, number);
  if (value === undefined || Number.isNaN(value) || limit === undefined) return undefined;
  const isFloor = quantity.low !== null && !Number.isNaN(quantity.low[number]);
  const ratio = isFloor ? value / limit : limit / value;
  return Number.isFinite(ratio) ? ratio : undefined;
}

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
