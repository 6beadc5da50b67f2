// One cell, with all that the report says of it, in a dialog.
import { limitText, quantile, ratioOf, sorted, valueOf, withoutLimit } from "./data.js";
import { badge, h } from "./dom.js";
import { quantity as text } from "./quantity.js";
import { recordedCharts } from "./recorded.js";

const fact = (name, value) => (value ? h("div", {}, h("dt", {}, name), h("dd", {}, value)) : null);

// Where it stands among its like.
function placeText(quantity, number) {
  const numbers = sorted(quantity);
  const value = valueOf(quantity, number);
  if (numbers.length < 3 || value === undefined) return "";
  const worse = numbers.filter((other) => (quantity.more ? other < value : other > value)).length;
  return `Rank ${worse + 1} from the bottom of ${numbers.length}; their median is ` +
    text(quantile(numbers, 0.5), quantity.unit);
}

function recordedTable(recorded) {
  if (!recorded || recorded.length === 0) return null;
  return h("details", {}, h("summary", {}, `What was recorded meanwhile (${recorded.length} series)`),
    h("table", {}, h("thead", {}, h("tr", {}, ...["series", "of", "values"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...recorded.map(([name, subject, values]) =>
        h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, subject || "the node"), h("td", {}, values))))));
}

/** Gives open(quantity, number), which shows it; filter(text, quantity) sets the table of all cells. */
export function details(data, filter) {
  const title = h("h2", { id: "detail-title" });
  const body = h("div", {});
  const dialog = h("dialog", { "aria-labelledby": "detail-title" }, title, body,
    h("form", { method: "dialog" }, h("button", {}, "Close")));
  document.body.append(dialog);
  const jump = (name, words, index) =>
    h("button", { type: "button", class: "link", onclick: () => { dialog.close(); filter(words, index); } }, name);

  let recorded = null;
  dialog.addEventListener("close", () => { recorded?.drop(); recorded = null; });
  return (quantity, number) => {
    const code = data.codes[quantity.codes[number]];
    const subject = data.subjects[quantity.subjects[number]];
    const note = data.notes.get(`${quantity.index}-${number}`);
    const value = valueOf(quantity, number);
    const ratio = ratioOf(quantity, number);
    title.textContent = subject;
    recorded?.drop();
    recorded = recordedCharts(data.curves.get(`${quantity.index}-${number}`));
    body.replaceChildren(
      h("p", {}, badge(code.outcome), code.required ? "" : " (not required)", ` ${quantity.name}, step ${quantity.step}`),
      h("dl", { class: "facts" }, ...[
        fact("Measured", value === undefined ? "" : text(value, quantity.unit)),
        fact("Limit", limitText(quantity, number) || withoutLimit(code.outcome)),
        fact("Of its limit", ratio === undefined ? ""
          : `${Number((ratio * 100).toPrecision(4))} %`),
        fact("Expected", quantity.expected && quantity.expected[number] > 0
          ? text(quantity.expected[number], quantity.unit) : ""),
        fact("Baseline", quantity.baseline),
        fact("Among its like", placeText(quantity, number)),
        fact("In full", note?.numbers),
        fact("Why", note ? note.reason : code.reason),
        fact("Cause", note?.causes),
      ].filter((one) => one)),
      ...[recorded?.element, recordedTable(note?.recorded)].filter((one) => one),
      h("p", {}, jump("All cells of this subject", subject, ""), " · ",
        jump("All cells of this quantity", "", quantity.index)));
    dialog.showModal();
    recorded?.update();
  };
}
