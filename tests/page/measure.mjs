// node measure.mjs PAGE ROUNDS [fleet]: times in a browser as JSON, in ms, each the median of the rounds: until the
// page shows something, until its script is done, and until the table answers a search and an order.
import { open, withBrowser } from "./browser.mjs";

const [file, rounds, kind = "report"] = process.argv.slice(2);
// What is searched and put in order, and what stands first there.
const LIST = {
  report: { where: "#cells", first: "tbody th", search: "node00007 gemm", order: "subject" },
  fleet: { where: "#racks", first: "li:not([hidden]) strong", search: "rack-07", order: "-began" },
}[kind];
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// In the page: from the key until the words below the fields have changed, the wait for more keys counted.
const answer = (page, act) => page.evaluate(async (what) => {
  const list = document.querySelector(what.where);
  const status = list.querySelector("[role=status]");
  const first = () => `${status.textContent} ${list.querySelector(what.first)?.textContent}`;
  const before = first();
  const began = performance.now();
  if (what.search !== undefined) {
    const field = list.querySelector("input[type=search]");
    field.value = what.search;
    field.dispatchEvent(new Event("input"));
  } else if (what.where === "#cells") {
    [...list.querySelectorAll("thead button")].find((one) => one.textContent === what.order).click();
  } else {
    const field = [...list.querySelectorAll("select")].at(-1);
    field.value = what.order;
    field.dispatchEvent(new Event("change"));
  }
  while (first() === before) {
    if (performance.now() - began > 10000) throw new Error("no answer");
    await new Promise((done) => setTimeout(done));
  }
  return performance.now() - began;
}, { where: LIST.where, first: LIST.first, ...act });

// Of racks a search may leave but one, which no order changes: they are put in order first.
async function answers(page) {
  const took = {};
  for (const name of kind === "fleet" ? ["order", "search"] : ["search", "order"]) {
    took[name] = await answer(page, { [name]: LIST[name] });
  }
  return { search: took.search, order: took.order };
}

const times = await withBrowser(async (browser) => {
  const all = [];
  for (let round = 0; round < Number(rounds); ++round) {
    const began = performance.now();
    const { page } = await open(browser, file);
    const loaded = performance.now() - began;
    // A page that nobody looks at is not painted.
    await page.screenshot();
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    all.push({
      paint: await paint.jsonValue(), loaded,
      ...(await answers(page)),
      elements: await page.evaluate(() => document.querySelectorAll("*").length),
    });
    await page.context().close();
  }
  return all;
});
const of = (name) => Math.round(median(times.map((one) => one[name])));
console.log(JSON.stringify(Object.fromEntries(Object.keys(times[0]).map((name) => [name, of(name)]))));
