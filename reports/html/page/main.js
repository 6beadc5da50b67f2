// Adds to the page, which is whole without it, what needs a script: the charts, the table of all cells
// and the details of each.
import { watch } from "./chart.js";
import { curveChart, curvesIn } from "./curves.js";
import { failedIn, read } from "./data.js";
import { details } from "./detail.js";
import { choice, h, quantityFields, settled } from "./dom.js";
import { cellTable } from "./table.js";
import { pairsChart, rackChart, spreadChart } from "./views.js";

function section(id, title, ...children) {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

// The quantity with the most failed cells; of equal ones the first with numbers.
function gravest(data) {
  let best = data.quantities[0];
  let most = -1;
  for (const quantity of data.quantities) {
    const count = failedIn(data, quantity) + (quantity.values ? 0.5 : 0);
    if (count > most) [best, most] = [quantity, count];
  }
  return best;
}

function quantitySection(data, open) {
  let quantity = gravest(data);
  const current = () => quantity;
  const charts = [rackChart(data, current, open), pairsChart(data, current, open), spreadChart(data, current, open)];
  const update = () => charts.forEach((chart) => chart.update());
  const chooser = quantityFields(data, (value) => { quantity = data.quantities[value]; update(); });
  chooser.set(quantity.index);
  return {
    element: section("chart", "By quantity", h("div", { class: "fields" }, ...chooser.fields),
      ...charts.map((chart) => chart.element)),
    update,
  };
}

function curveSection(data) {
  const curves = curvesIn(data);
  if (curves.length === 0) return null;
  let curve = curves[0];
  const chart = curveChart(() => curve);
  const chooser = choice("Curve", curves.map((one, i) => [`${i}`, one.name]), (value) => {
    curve = curves[Number(value)];
    chart.update();
  });
  return {
    element: section("sizes", "Against message size", h("div", { class: "fields" }, chooser.field), chart.element),
    update: () => chart.update(),
  };
}

// What the page names already opens its cell.
function linkCells(data, open) {
  for (const named of document.querySelectorAll("[data-cell]")) {
    const [quantity, number] = named.dataset.cell.split("-").map(Number);
    const show = () => open(data.quantities[quantity], number);
    // Boxes of the map. Those that lead somewhere without a script are links already; of the others a button each would
    // be many stops on the way through the page, and the table of all cells has them too.
    if (named.matches(".rack *")) {
      named.addEventListener("click", (event) => { event.preventDefault(); show(); });
      continue;
    }
    const button = h("button", { type: "button", class: "link", onclick: show });
    button.append(...named.childNodes);
    named.append(button);
  }
}

function start() {
  const source = document.getElementById("data");
  const data = read(source.textContent);
  source.remove();
  if (data.cells === 0) return;
  let table = null;
  const open = details(data, (text, index) => {
    table.want(text, index);
    document.getElementById("cells").scrollIntoView();
  });
  table = cellTable(data, open);
  const parts = [quantitySection(data, open), curveSection(data)].filter((part) => part);
  const anchor = document.getElementById("more");
  anchor.append(...parts.map((part) => part.element), section("cells", "All cells", table.element));
  const next = document.querySelector('nav a[href="#quantities"]');
  for (const one of anchor.querySelectorAll("section")) {
    document.querySelector("nav").insertBefore(h("a", { href: `#${one.id}` }, one.id), next);
  }
  linkCells(data, open);
  for (const part of parts) part.update();
  watch(settled);
}

start();
