// All cells, a page at a time: search, filters, order.
import { limitText, ratioOf, valueOf, withoutLimit } from "./data.js";
import { badge, choice, h, quantityFields, settled } from "./dom.js";
import { quantity as text } from "./quantity.js";

const ROWS = 40;
// The gravest first.
const GRAVITY = { fail: 0, untested: 1, unjudged: 2, verified: 3, pass: 4, waived: 5 };

const share = (ratio) => (ratio === undefined ? "" : `${Number((ratio * 100).toPrecision(4))} %`);

/** The cells that are wanted, as [quantity, number] pairs one behind the other. */
export function select(data, want) {
  const words = want.text.toLowerCase().split(/\s+/).filter((word) => word);
  const holds = (name, word) => name.toLowerCase().includes(word);
  const named = words.map((word) => data.subjects.map((name) => holds(name, word)));
  const fit = data.codes.map((code) => want.outcome === "" || code.outcome === want.outcome);
  const found = [];
  for (const quantity of data.quantities) {
    if (want.step !== "" && quantity.step !== want.step) continue;
    if (want.quantity !== "" && quantity.index !== want.quantity) continue;
    // A word fits the quantity, or else the subject.
    const open = named.filter((_, i) => !holds(`${quantity.name} ${quantity.step}`, words[i]));
    for (let number = 0; number < quantity.count; ++number) {
      const subject = quantity.subjects[number];
      if (fit[quantity.codes[number]] && open.every((names) => names[subject])) found.push(quantity.index, number);
    }
  }
  return Uint32Array.from(found);
}

const COLUMNS = {
  subject: (data, q, i) => q.subjects[i],
  quantity: (data, q) => q.index,
  "of limit": (data, q, i) => ratioOf(q, i) ?? Infinity,
  outcome: (data, q, i) => GRAVITY[data.codes[q.codes[i]].outcome],
};

// The order of names is wanted, not that of their numbers.
function ranksOf(names) {
  const order = names.map((_, i) => i).sort((a, b) => names[a].localeCompare(names[b], undefined, { numeric: true }));
  const ranks = new Uint32Array(names.length);
  order.forEach((i, rank) => { ranks[i] = rank; });
  return ranks;
}

/** The same pairs by a column of COLUMNS. */
export function ordered(data, found, column, down) {
  const count = found.length / 2;
  const keys = new Float64Array(count);
  data.ranks ??= ranksOf(data.subjects);
  for (let i = 0; i < count; ++i) {
    const key = COLUMNS[column](data, data.quantities[found[2 * i]], found[2 * i + 1]);
    keys[i] = column === "subject" ? data.ranks[key] : key;
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  // Ties keep the order of the report; Infinity less Infinity is no number.
  order.sort((a, b) => (keys[a] === keys[b] ? a - b : (keys[a] < keys[b] ? -1 : 1) * (down ? -1 : 1)));
  const out = new Uint32Array(found.length);
  order.forEach((from, to) => {
    out[2 * to] = found[2 * from];
    out[2 * to + 1] = found[2 * from + 1];
  });
  return out;
}

function row(data, quantity, number, open) {
  const value = valueOf(quantity, number);
  const code = data.codes[quantity.codes[number]];
  const name = data.subjects[quantity.subjects[number]];
  const known = value !== undefined;
  return h("tr", {},
    h("th", { scope: "row" },
      h("button", { type: "button", class: "link", onclick: () => open(quantity, number) }, name)),
    h("td", {}, quantity.name, h("br"), h("small", {}, `step ${quantity.step}`)),
    h("td", { class: "n" }, known ? text(value, quantity.unit) : ""),
    h("td", { class: "n" }, limitText(quantity, number) || (known ? withoutLimit(code.outcome) : "")),
    h("td", { class: "n" }, share(ratioOf(quantity, number))),
    h("td", {}, badge(code.outcome), code.required ? "" : " (not required)", h("br"), h("small", {}, code.reason)));
}

/** The table with its fields. */
export function cellTable(data, open) {
  const want = { text: "", outcome: "", step: "", quantity: "", column: "outcome", down: false, page: 0 };
  let found = new Uint32Array(0);
  const body = h("tbody", {});
  const count = h("p", { role: "status" });
  const heads = {};

  const show = () => {
    const cells = found.length / 2;
    const pages = Math.max(1, Math.ceil(cells / ROWS));
    want.page = Math.min(Math.max(want.page, 0), pages - 1);
    const rows = [];
    for (let i = want.page * ROWS; i < Math.min(cells, (want.page + 1) * ROWS); ++i) {
      rows.push(row(data, data.quantities[found[2 * i]], found[2 * i + 1], open));
    }
    body.replaceChildren(...rows);
    count.textContent = `${cells.toLocaleString("en")} of ${data.cells.toLocaleString("en")} cells, ` +
      `page ${want.page + 1} of ${pages}`;
    before.disabled = want.page === 0;
    after.disabled = want.page === pages - 1;
    for (const [name, head] of Object.entries(heads)) {
      head.setAttribute("aria-sort", name !== want.column ? "none" : want.down ? "descending" : "ascending");
    }
  };
  const turn = (by) => { want.page += by; show(); };
  const before = h("button", { type: "button", onclick: () => turn(-1) }, "Previous page");
  const after = h("button", { type: "button", onclick: () => turn(1) }, "Next page");
  const refresh = () => {
    want.page = 0;
    found = ordered(data, select(data, want), want.column, want.down);
    show();
  };
  const sort = (column) => {
    want.down = want.column === column && !want.down;
    want.column = column;
    refresh();
  };

  const search = h("input", {
    type: "search", placeholder: "node3 busbw",
    oninput: settled(() => { want.text = search.value; refresh(); }),
  });
  const outcome = choice("Outcome", [["", "all"], ...Object.keys(GRAVITY).map((name) => [name, name])],
    (value) => { want.outcome = value; refresh(); });
  const quantity = quantityFields(data, (index, step) => { Object.assign(want, { quantity: index, step }); refresh(); }, true);
  const head = (name, number) => {
    const cell = h("th", { scope: "col", class: number ? "n" : undefined },
      name in COLUMNS ? h("button", { type: "button", onclick: () => sort(name) }, name) : name);
    if (name in COLUMNS) heads[name] = cell;
    return cell;
  };
  const element = h("div", {},
    h("div", { class: "fields" }, h("label", {}, h("span", {}, "Search"), search),
      outcome.field, ...quantity.fields),
    count,
    h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "All cells" },
      h("table", { class: "cells" }, h("caption", {}, "All results; click a heading to sort"),
        h("thead", {}, h("tr", {}, head("subject"), head("quantity"), head("measured", true),
          head("limit", true), head("of limit", true), head("outcome"))), body)),
    h("div", { class: "pages" }, before, " ", after));
  refresh();
  return {
    element,
    /** Shows the cells of a quantity ("" for all) that the text fits. */
    want: (text, index) => {
      Object.assign(want, { text, outcome: "", quantity: index, step: "" });
      search.value = text;
      outcome.select.value = "";
      quantity.set(index);
      refresh();
    },
  };
}
