// node build.js MODULES OUT: the script of the page as one file, with ECharts' parts that it uses in it,
// as a C++ header that holds it and its digest. MODULES is the node_modules folder to take them from.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Compilers must take string literals of so many bytes, and need not take longer ones.
const PIECE = 60000;
const END = "rackproof_page";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(pathToFileURL(join(modules, "x.js")));
const { build } = await import(pathToFileURL(require.resolve("esbuild")));

// What the licences of the parts ask to go along with them.
const notice = (name) => `${name}\n${readFileSync(join(modules, name), "utf8").trim()}\n`;
const notices = [notice("echarts/NOTICE"), "Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0\n",
  notice("zrender/LICENSE")].join("\n").replaceAll("*/", "* /");

const result = await build({
  entryPoints: [join(here, "main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "inline",
  banner: { js: `/*!\n${notices}*/` },
  nodePaths: [modules],
  write: false,
});
const script = result.outputFiles[0].text;
if (script.includes("</script") || script.includes(`)${END}"`)) {
  throw new Error("the script holds what would end it");
}
const pieces = [];
for (let at = 0; at < script.length; at += PIECE) {
  pieces.push(`    R"${END}(${script.slice(at, at + PIECE)})${END}"`);
}
const digest = createHash("sha256").update(script).digest("base64");
writeFileSync(out, `#pragma once

// Made by reports/html/page/build.js.

namespace rackproof::html {

inline constexpr const char* kScript[] = {
${pieces.join(",\n")}};
inline constexpr char kScriptDigest[] = "sha256-${digest}";

}  // namespace rackproof::html
`);
