// All browser tests in one process, so that they share a browser and a server, one after the other.
//
//   npm run browser                 all of them
//   npm run browser -- paint race   the files whose names contain one of the words

import { readdir } from "node:fs/promises";
import { finish } from "./support/browser.js";

const words = process.argv.slice(2);
const here = new URL(".", import.meta.url);
const files = (await readdir(here)).filter((name) => name.endsWith(".test.js")).sort();
const wanted = files.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
if (wanted.length === 0) throw new Error(`no test file's name contains ${words.join(" or ")}`);
for (const name of wanted) await import(new URL(name, here));
await finish();
