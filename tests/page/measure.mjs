// node measure.mjs PAGE ROUNDS: times in a browser as JSON, in ms, each the median of the rounds: until the
// page shows something, until its script is done, and until the table answers a search and an order.
import { open, withBrowser } from "./browser.mjs";

const [file, rounds] = process.argv.slice(2);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// In the page: from the key until the words below the fields have changed, the wait for more keys counted.
const answer = (page, act) => page.evaluate(async (what) => {
  const status = document.querySelector("#cells [role=status]");
  const first = () => `${status.textContent} ${document.querySelector("#cells tbody th")?.textContent}`;
  const before = first();
  const began = performance.now();
  if (what.search !== undefined) {
    const field = document.querySelector("#cells input[type=search]");
    field.value = what.search;
    field.dispatchEvent(new Event("input"));
  } else {
    [...document.querySelectorAll("#cells thead button")].find((one) => one.textContent === what.order).click();
  }
  while (first() === before) await new Promise((done) => setTimeout(done));
  return performance.now() - began;
}, act);

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
      search: await answer(page, { search: "node00007 gemm" }),
      order: await answer(page, { order: "subject" }),
      elements: await page.evaluate(() => document.querySelectorAll("*").length),
    });
    await page.context().close();
  }
  return all;
});
const of = (name) => Math.round(median(times.map((one) => one[name])));
console.log(JSON.stringify(Object.fromEntries(Object.keys(times[0]).map((name) => [name, of(name)]))));
