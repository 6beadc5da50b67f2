// Numbers with units as the rest of the report writes them (reports/model/quantity.cpp).

const LARGE = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const POWER = [...LARGE, [1e-3, "m"], [1e-6, "u"], [1e-9, "n"]];
const TIME = [[3600, "h"], [60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const SCALED = ["B/s", "FLOP/s", "OP/s", "cells/s", "cells/J", "Hz"];

// Four digits, without zeros at the end, as %.4g.
function digits(value) {
  const small = value !== 0 && Math.abs(value) < 1e-4;
  const text = small ? value.toExponential(3) : value.toPrecision(4);
  if (text.includes("e")) {
    const [base, power] = text.split("e");
    const sign = power[0];
    return `${trimmed(base)}e${sign}${power.slice(1).padStart(2, "0")}`;
  }
  return trimmed(text);
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function prefixed(value, unit, scales, gap = " ") {
  if (value === 0) return `0 ${unit || "s"}`;
  const size = Math.abs(Number(value.toPrecision(4)));
  const scale = scales.find(([factor]) => size >= factor * (1 - 1e-12)) ?? scales[scales.length - 1];
  return `${digits(value / scale[0])}${gap}${scale[1]}${unit}`;
}

function time(value) {
  const size = Math.abs(Number(value.toPrecision(4)));
  return prefixed(value, "", size < 120 ? TIME.slice(2) : size < 7200 ? TIME.slice(1) : TIME);
}

function bytes(value) {
  if (Math.abs(value) >= 1024 && Number.isSafeInteger(value)) {
    let divided = value;
    let power = 0;
    while (divided % 1024 === 0 && power < BINARY.length) {
      divided /= 1024;
      ++power;
    }
    if (power > 0 && Math.abs(divided) < 10000) return `${divided} ${BINARY[power - 1]}`;
  }
  return prefixed(value, "B", LARGE);
}

/** "3.99 TB/s": never a number without its unit. */
export function quantity(value, unit) {
  const name = unit || "(no unit)";
  if (!Number.isFinite(value)) return `${value} ${name}`;
  if (name === "B") return bytes(value);
  if (name === "s") return value === 0 ? "0 s" : time(value);
  if (name === "ratio") return `${digits(value * 100)} %`;
  if (name === "W" || name === "J") return prefixed(value, name, POWER);
  if (name === "count" && Number.isInteger(value) && Math.abs(value) < 1e15) return `${value} count`;
  if (SCALED.includes(name)) return prefixed(value, name, LARGE);
  return `${digits(value)} ${name}`;
}
