// node trend.mjs PAGE WORD: uses the page of a trend as people do; WORD is in one quantity and in no other. Prints what was
// seen as JSON; trend_test.py says what it should be.
import { faults, open, withBrowser } from "./browser.mjs";

const [file, word] = process.argv.slice(2);
const quantities = (page) => page.locator("#quantities tbody tr:visible th").allTextContents();

const told = await withBrowser(async (browser) => {
  const { page, seen } = await open(browser, file);
  const out = { heading: await page.locator("h1").innerText(), all: await quantities(page) };
  // Drawn, and with room for it.
  out.charts = await page.locator("svg.series").evaluateAll((all) => all.filter((one) => one.getBBox().width > 100).length);
  const search = async (text, found) => {
    await page.locator("#quantities input[type=search]").fill(text);
    await page.waitForFunction((count) => document.querySelectorAll("#quantities tbody tr:not([hidden])").length === count, found);
  };
  await search(word, 1);
  out.searched = await quantities(page);
  await search("", out.all.length);
  await page.locator("#quantities thead button", { hasText: "last against it" }).click();
  out.ordered = await page.locator("#quantities tbody td:nth-child(5) data").evaluateAll((all) => all.map((one) => one.value));
  out.links = await page.locator("a[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  out.overflow = {};
  for (const [name, width] of [["wide", 1400], ["phone", 390]]) {
    await page.setViewportSize({ width, height: 800 });
    out.overflow[name] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }
  Object.assign(out, structuredClone(seen));
  out.axe = await faults(browser, file);
  return out;
});
console.log(JSON.stringify(told));
