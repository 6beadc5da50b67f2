// node fleet.mjs PAGE WORD: uses a fleet's page as people do; WORD is in one rack's row and in no other. Prints what was seen
// as JSON; fleet_test.py says what it should be.
import { faults, open, withBrowser } from "./browser.mjs";

const [file, word] = process.argv.slice(2);
const racks = (page) => page.locator("#racks ul.rows > li:visible strong").allTextContents();
const parts = (page) => page.locator("#parts tbody tr:visible th").allTextContents();

async function changed(page, list, act) {
  const before = JSON.stringify(await list(page));
  await act();
  for (let wait = 0; wait < 50 && JSON.stringify(await list(page)) === before; ++wait) await page.waitForTimeout(40);
  return list(page);
}

const told = await withBrowser(async (browser) => {
  const { page, seen } = await open(browser, file);
  const out = { all: await racks(page), status: await page.locator("#racks [role=status]").innerText() };
  const search = page.locator("#racks input[type=search]");
  out.searched = await changed(page, racks, () => search.fill(word));
  await changed(page, racks, () => search.fill(""));
  const verdict = page.locator("#racks").getByLabel("Verdict");
  out.rejected = await changed(page, racks, () => verdict.selectOption("rejected"));
  await changed(page, racks, () => verdict.selectOption(""));
  const order = page.locator("#racks").getByLabel("Order");
  out.byName = await changed(page, racks, () => order.selectOption("rack"));
  out.worstFirst = await changed(page, racks, () => order.selectOption(""));
  out.parts = { first: await parts(page) };
  for (const name of ["up", "down"]) {
    out.parts[name] = await changed(page, parts,
      () => page.locator("#parts thead button", { hasText: "failed" }).click());
  }
  out.sorted = await page.locator("#parts th[aria-sort=descending]").innerText();
  out.links = await page.locator("a[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  out.elements = await page.evaluate(() => document.querySelectorAll("*").length);
  out.overflow = {};
  for (const [name, width] of [["wide", 1400], ["phone", 390]]) {
    await page.setViewportSize({ width, height: 800 });
    out.overflow[name] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }
  out.paper_bytes = (await page.pdf()).length;
  Object.assign(out, structuredClone(seen));
  await page.addScriptTag({ content: "window.foreign = 1" }).catch(() => {});
  out.foreign_ran = await page.evaluate(() => window.foreign === 1);
  out.axe = await faults(browser, file);
  const { page: still, seen: quiet } = await open(browser, file, { javaScriptEnabled: false });
  out.still = { heading: await still.locator("h1").innerText(), problems: quiet.problems, racks: await racks(still) };
  return out;
});
console.log(JSON.stringify(told));
