// Lets readers search and order what a page lists: every section of the class `lists`. The page is whole without it.
//
// A list is the items of a `ul.rows`, or the rows of a table's body. data-orders of the list, "name:by what;...", says what
// its items can be ordered by: each has data-NAME, and "-NAME" is downwards. data-verdict of the items is a choice. A table is
// ordered by its headings: by the value of a <data> or the datetime of a <time> in the cell, where there is one.
import { choice, h, settled } from "./dom.js";

// Fewer are seen at a glance.
const FEW = 8;
const compare = new Intl.Collator("en", { numeric: true }).compare;

function keyOf(cell) {
  const marked = cell?.querySelector("data, time");
  if (!marked) return cell?.textContent.trim() ?? "";
  return marked.tagName === "DATA" ? Number(marked.value) : marked.dateTime;
}

const inOrder = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : compare(a, b));

/** Puts the items of `home` in the order of their keys; what is alike stays as it was. */
function order(home, items, keyOf, down) {
  const keys = new Map(items.map((item) => [item, keyOf(item)]));
  home.append(...[...items].sort((a, b) => (down ? -1 : 1) * inOrder(keys.get(a), keys.get(b))));
}

function finder(items, name) {
  const want = { text: "", verdict: "" };
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
  const status = h("p", { role: "status", class: "legend" });
  const show = () => {
    const words = want.text.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const item of items) {
      item.hidden = !words.every((word) => texts.get(item).includes(word)) ||
        (want.verdict !== "" && item.dataset.verdict !== want.verdict);
      if (!item.hidden) shown += 1;
    }
    status.textContent = `${shown.toLocaleString("en")} of ${items.length.toLocaleString("en")} ${name}`;
  };
  const search = h("input", { type: "search", oninput: settled(() => { want.text = search.value; show(); }) });
  const fields = [h("label", {}, h("span", {}, "Search"), search)];
  const verdicts = [...new Set(items.map((item) => item.dataset.verdict))].filter((word) => word);
  if (verdicts.length > 1) {
    fields.push(choice("Verdict", [["", "all"], ...verdicts.map((word) => [word, word])],
      (word) => { want.verdict = word; show(); }).field);
  }
  show();
  return { fields, status };
}

function orderField(list, items) {
  const orders = list.dataset.orders.split(";").map((one) => one.split(":"));
  const number = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
  return choice("Order", [["", "worst first"], ...orders], (name) => {
    const key = name.replace(/^-/, "");
    // As it came: worst first.
    if (name === "") list.append(...items);
    else order(list, items, (item) => number(item.dataset[key]), name.startsWith("-"));
  }).field;
}

function orderByHeadings(table) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  let down = false;
  heads.forEach((head, column) => {
    if (head.textContent.trim() === "") return;
    const button = h("button", { type: "button", onclick: () => {
      down = head.getAttribute("aria-sort") === "ascending";
      order(body, [...body.rows], (row) => keyOf(row.cells[column]), down);
      for (const other of heads) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    } });
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
  });
}

for (const section of document.querySelectorAll("section.lists")) {
  const list = section.querySelector("ul.rows");
  const table = section.querySelector("table");
  const items = list ? [...list.children] : [...table.tBodies[0].rows];
  if (table && items.length > 1) orderByHeadings(table);
  if (items.length <= FEW) continue;
  const { fields, status } = finder(items, section.dataset.name);
  if (list) fields.push(orderField(list, items));
  section.querySelector("h2").after(h("div", { class: "fields" }, ...fields), status);
}
