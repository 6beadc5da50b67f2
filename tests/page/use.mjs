// node use.mjs PAGE WORD: uses a report's page as people do, WORD is in the names of some subjects. Prints
// what was seen as JSON; page_test.py says what it should be.
import { faults, open, withBrowser } from "./browser.mjs";

const [file, word] = process.argv.slice(2);
const status = (page) => page.locator("#cells [role=status]").textContent();
const names = (page) => page.locator("#cells tbody th").allInnerTexts();

async function changed(page, act) {
  const before = await status(page);
  await act();
  await page.waitForFunction((old) => document.querySelector("#cells [role=status]").textContent !== old, before);
  return status(page);
}

async function fromVerdictToCell(page) {
  const first = page.locator("#summary li [data-cell] button").first();
  if ((await first.count()) === 0) return null;
  const name = await first.textContent();
  await first.click();
  const dialog = page.locator("dialog[open]");
  const told = await dialog.innerText();
  const recorded = { sentences: await dialog.locator("figcaption").allInnerTexts(), colours: await drawn(page, dialog) };
  await page.keyboard.press("Escape");
  // The same without a mouse.
  await first.focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  await page.getByRole("button", { name: "All cells of this subject" }).click();
  return { clicks: 1, name, told, recorded, subject: await status(page), subjects: [...new Set(await names(page))] };
}

// Each box of the map leads to its gravest cell.
async function fromMap(page) {
  const told = [];
  for (const box of (await page.locator(".rack [data-cell]").all()).slice(0, 40)) {
    const title = await box.evaluate((one) => one.closest("td").title);
    await box.click();
    told.push([title, await page.locator("dialog[open]").innerText()]);
    await page.keyboard.press("Escape");
  }
  return told;
}

async function tableOf(page) {
  const search = page.getByRole("searchbox");
  const seen = { all: await status(page) };
  seen.searched = await changed(page, () => search.fill(word));
  seen.names = [...new Set(await names(page))];
  seen.none = await changed(page, () => search.fill("no such subject anywhere"));
  await changed(page, () => search.fill(""));
  const outcome = page.locator("#cells").getByLabel("Outcome");
  seen.passed = await changed(page, () => outcome.selectOption("pass"));
  seen.outcomes = [...new Set((await page.locator("#cells tbody .sign").allInnerTexts()).map((text) => text.slice(2)))];
  await changed(page, () => outcome.selectOption(""));
  for (const name of ["up", "down"]) {
    await page.locator("#cells thead button", { hasText: "subject" }).click();
    seen[name] = (await names(page))[0];
  }
  seen.sorted = await page.locator("#cells th[aria-sort=descending]").innerText();
  return seen;
}

const drawn = (page, where = page) => where.locator("figure:visible canvas").evaluateAll((all) => all.map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}));

const told = await withBrowser(async (browser) => {
  const { page, seen } = await open(browser, file);
  const out = { colours: await drawn(page), sentences: await page.locator("figure:visible figcaption").allInnerTexts() };
  out.elements = await page.evaluate(() => document.querySelectorAll("*").length);
  out.cell = await fromVerdictToCell(page);
  out.map = await fromMap(page);
  if (out.cell) await changed(page, () => page.getByRole("searchbox").fill(""));
  out.table = await tableOf(page);
  out.overflow = {};
  for (const [name, width] of [["wide", 1400], ["phone", 390]]) {
    await page.setViewportSize({ width, height: 800 });
    out.overflow[name] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.waitForTimeout(300);  // charts follow when the width has settled
  }
  out.paper_bytes = (await page.pdf()).length;
  Object.assign(out, structuredClone(seen));  // what is tried below is told too
  await page.addScriptTag({ content: "window.foreign = 1" }).catch(() => {});
  out.foreign_ran = await page.evaluate(() => window.foreign === 1);

  out.axe = await faults(browser, file);

  const { page: still, seen: quiet } = await open(browser, file, { javaScriptEnabled: false });
  out.still = { heading: await still.locator("h1").innerText(), problems: quiet.problems,
    worst: await still.locator("#summary li").allInnerTexts() };
  return out;
});
console.log(JSON.stringify(told));
