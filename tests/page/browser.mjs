// A headless Chromium with nothing of its own: what the tests and measurements of the page share.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const MODULES = process.env.RACKPROOF_PAGE_MODULES;
const require = createRequire(pathToFileURL(join(MODULES, "x.js")));
const AXE = require.resolve("axe-core/axe.min.js");

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update"];

/** Runs act(browser) and closes it, whatever happens. */
export async function withBrowser(act) {
  const { chromium } = require("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
  try {
    return await act(browser);
  } finally {
    await browser.close();
  }
}

/** The file in a page of its own, and what it said and asked for meanwhile. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const seen = { problems: [], requests: [] };
  page.on("console", (message) => seen.problems.push(message.text()));
  page.on("pageerror", (error) => seen.problems.push(error.message));
  page.on("dialog", (dialog) => { seen.problems.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url().split("#")[0] !== url) seen.requests.push(request.url()); });
  await page.goto(url);
  return { page, seen };
}

/** What axe finds serious or critical about the file, by day and by night. */
export async function faults(browser, file) {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    // The policy lets no other script in, axe's neither.
    const { page } = await open(browser, file, { colorScheme, bypassCSP: true });
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate(() => window.axe.run());
    found.push(...violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0].html}`));
  }
  return found;
}
