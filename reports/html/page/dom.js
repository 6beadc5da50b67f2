// Elements without markup: text of a report never becomes anything but text.

/** h("a", {href: "#x", onclick: f}, "text", child...): attributes, listeners (on...) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

export const SIGNS = { pass: "✓", verified: "○", fail: "✗", untested: "–", unjudged: "?", waived: "w" };

/** Sign and word of an outcome. */
export function badge(outcome) {
  return h("span", { class: `sign ${outcome}` }, h("span", { "aria-hidden": "true" }, SIGNS[outcome]),
    ` ${outcome}`);
}

/** A choice with its label: options are [value, text]. */
export function choice(label, options, onchange) {
  const select = h("select", { onchange: () => onchange(select.value) },
    ...options.map(([value, text]) => h("option", { value }, text)));
  return { field: h("label", {}, h("span", {}, label), select), select };
}

/**
 * Step, then quantity, since there may be thousands: chosen(index) when one is chosen. With `all`, the
 * index is "" for all of a step, and set("") is all there are.
 */
export function quantityFields(data, chosen, all = false) {
  const steps = [...new Set(data.quantities.map((quantity) => quantity.step))];
  const of = (step) => data.quantities.filter((quantity) => quantity.step === step);
  const any = all ? [["", "all"]] : [];
  const fill = (step) => quantity.select.replaceChildren(
    ...[...any, ...(step === "" ? [] : of(step).map((one) => [`${one.index}`, `${one.name} (${one.count} cells)`]))]
      .map(([value, text]) => h("option", { value }, text)));
  const say = () => chosen(quantity.select.value === "" ? "" : Number(quantity.select.value), step.select.value);
  const step = choice("Step", [...any, ...steps.map((name) => [name, name])], (name) => { fill(name); say(); });
  const quantity = choice("Quantity", [], say);
  fill(all ? "" : steps[0]);
  return {
    fields: [step.field, quantity.field],
    set: (index) => {
      step.select.value = index === "" ? "" : data.quantities[index].step;
      fill(step.select.value);
      quantity.select.value = `${index}`;
    },
  };
}

/** Runs the last of several calls, when no other has come for a moment. */
export function settled(run, milliseconds = 120) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), milliseconds);
  };
}
