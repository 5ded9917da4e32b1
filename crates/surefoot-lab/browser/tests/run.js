// Runs the browser tests in two workers side by side. Each worker has a browser and a server of its own and takes the next file
// when it has finished one, so neither waits long for the other, however fast the machine is.
//
//   npm run browser                       all of them
//   npm run browser -- paint race         the files whose names contain one of the words
//   SUREFOOT_BROWSERS=1 npm run browser   one after the other

import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = new URL(".", import.meta.url);
const BROWSERS = Number(process.env.SUREFOOT_BROWSERS ?? 2);

/** The test files whose names contain one of the words, the longest first: what is long should not begin last. */
async function chosenFiles(words) {
  const names = (await readdir(here)).filter((name) => name.endsWith(".test.js"));
  const wanted = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  if (wanted.length === 0) throw new Error(`no test file's name contains ${words.join(" or ")}`);
  const sized = await Promise.all(
    wanted.map(async (name) => ({ name, size: (await stat(new URL(name, here))).size })),
  );
  return sized.sort((a, b) => b.size - a.size || a.name.localeCompare(b.name)).map(({ name }) => name);
}

/** Starts a worker that takes files off the list. Resolves to how it ended, and how many tests passed and failed in it. */
async function work(number, files) {
  const worker = fork(fileURLToPath(new URL("worker.js", here)), { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const counts = { passed: 0, failed: 0 };
  worker.on("message", () => worker.send({ file: files.shift() ?? null }));
  createInterface(worker.stdout).on("line", (line) => {
    console.log(`${number}│ ${line}`);
    // The summary at its end. What timed out is cancelled.
    const [, what, count] = /^\S* (pass|fail|cancelled) (\d+)$/.exec(line) ?? [];
    if (what) counts[what === "pass" ? "passed" : "failed"] += Number(count);
  });
  const [code] = await once(worker, "close");
  return { code, ...counts };
}

const files = await chosenFiles(process.argv.slice(2));
const workers = Math.min(BROWSERS, files.length);
const ends = await Promise.all(Array.from({ length: workers }, (_, index) => work(index + 1, files)));
const sum = (what) => ends.reduce((total, end) => total + end[what], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
if (files.length > 0) console.log(`not run: ${files.join(", ")}`);
process.exitCode = files.length === 0 && ends.every(({ code }) => code === 0) && sum("passed") > 0 ? 0 : 1;
