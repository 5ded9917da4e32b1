// Chromium, and tests that each have a fresh profile of it.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Lab, noteAnnouncements } from "./lab.js";
import { launch } from "./launch.js";
import { patience, slowFrames, slowProcessor } from "./pace.js";
import { Server } from "./server.js";

const FAILURES = fileURLToPath(new URL("../../../../../target/lab-failures/", import.meta.url));

let shared = null;

/** One browser and one server for all tests. */
async function sharedThings() {
  shared ??= Promise.all([launch(), Server.start()]).then(([browser, server]) => ({ browser, server }));
  return shared;
}

const tests = [];

/** The visit that the last test of a file has left for the next one, or null, and how it began. */
let left = null;
let leftOptions = "";

/** Takes the visit that was left, if it began like this, or ends it. */
async function takeLeft(options) {
  const visit = left;
  left = null;
  if (JSON.stringify(options) === leftOptions) return visit;
  await visit?.context.close();
  return null;
}

/** Waits for all tests so far, and ends the visit that they left. */
export async function settled() {
  await Promise.all(tests);
  await takeLeft(null);
}

/** Waits for all tests and ends what they shared. (A hook would not be called when tests are chosen by name.) */
export async function finish() {
  await settled();
  const { browser, server } = (await shared) ?? {};
  await browser?.close();
  await server?.kill();
}

/** A fresh profile with one open lab. It notes everything that a page must not do. */
export class Visit {
  complaints = [];
  requests = 0;

  /**
   * `options` are those of a browser context; also `hash` of the first address, `server`, `tolerate`: a pattern of
   * errors on the console that the test provokes.
   */
  static async begin({ hash = "", server, tolerate, ...options } = {}) {
    const things = await sharedThings();
    const visit = new Visit();
    visit.server = server ?? things.server;
    visit.tolerate = tolerate;
    visit.context = await things.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    visit.context.setDefaultTimeout(patience(120));
    visit.#listen();
    await visit.context.addInitScript(noteAnnouncements);
    await slowFrames(visit.context);
    try {
      visit.lab = await visit.newTab(hash);
    } catch (error) {
      await visit.fail(error, "load");
    }
    visit.page = visit.lab.page;
    return visit;
  }

  /** An empty tab. */
  async newPage() {
    const page = await this.context.newPage();
    page.on("websocket", (socket) => this.#noteAddress(socket.url()));
    await slowProcessor(page);
    return page;
  }

  /** A tab with the lab in it. */
  async newTab(hash = "") {
    const lab = new Lab(await this.newPage());
    await lab.open(this.server.url + hash);
    return lab;
  }

  #listen() {
    const { context } = this;
    context.on("request", (request) => this.#noteAddress(request.url()));
    context.on("console", (message) => {
      if (message.type() === "error") this.complain(`console: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.complain(`exception: ${error.error().stack ?? error.error()}`));
  }

  #noteAddress(address) {
    const { protocol, host } = new URL(address);
    // What a page makes itself, such as a file to download.
    if (["data:", "blob:"].includes(protocol)) return;
    this.requests++;
    if (host !== new URL(this.server.url).host) this.complain(`request to another host: ${address}`);
  }

  complain(text) {
    if (!this.tolerate?.test(text)) this.complaints.push(text);
  }

  async end() {
    await this.context.close();
    assert.deepEqual(this.complaints, []);
  }

  /** Leaves the open page to the next test of the file that shares it. */
  async leave(options) {
    if (this.complaints.length > 0) return this.end();
    for (const page of this.context.pages()) if (page !== this.page) await page.close();
    [left, leftOptions] = [this, JSON.stringify(options)];
  }

  /** Ends it after an error: keeps a picture, and tells what the page complained about. */
  async fail(error, name) {
    const path = `${FAILURES}${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
    await mkdir(FAILURES, { recursive: true });
    await this.context.pages()[0]?.screenshot({ path }).catch(() => {});
    await this.context.close();
    const complaints = this.complaints.map((text) => `the page complained: ${text}`);
    const text = [error.message, ...complaints, `how it looked: ${path}`].join("\n");
    const frames = error.stack.split("\n").filter((line) => /^\s+at .*\.test\.js/.test(line));
    throw Object.assign(new Error(text), { stack: [text, ...frames].join("\n") });
  }
}

/** A test with a visit of its own: no error on the console, no request to another host, or it fails. */
export function labTest(name, options, body = options) {
  const visiting = body === options ? {} : options;
  addTest(name, body, () => Visit.begin(visiting), (visit) => visit.end());
}

/**
 * The same in a page that the test before it in the file has left, made as good as new: to load a page takes longer than most tests.
 * For tests that begin with a map of their own and change nothing of the page's code.
 */
export function sharingTest(name, options, body = options) {
  const visiting = body === options ? {} : options;
  const begin = async () => (await takeLeft(visiting)) ?? Visit.begin(visiting);
  const use = async (visit) => {
    await visit.lab.renew();
    await body(visit);
  };
  addTest(name, use, begin, (visit) => visit.leave(visiting));
}

function addTest(name, body, begin, end) {
  const run = async () => {
    const visit = await begin();
    try {
      await body(visit);
    } catch (error) {
      await visit.fail(error, name);
    }
    await end(visit);
  };
  tests.push(test(name, { timeout: patience(900) }, run));
}
