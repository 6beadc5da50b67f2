// node quantities.mjs: [[value, unit]...] as JSON on stdin, the page's words for them on stdout.
import { readFileSync } from "node:fs";
import { quantity } from "../../reports/html/page/quantity.js";

console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(([value, unit]) => quantity(value, unit))));
