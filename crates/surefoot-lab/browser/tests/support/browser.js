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

/** Waits for all tests so far. */
export async function settled() {
  await Promise.all(tests);
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
  const run = async () => {
    const visit = await Visit.begin(visiting);
    try {
      await body(visit);
    } catch (error) {
      await visit.fail(error, name);
    }
    await visit.end();
  };
  tests.push(test(name, { timeout: patience(900) }, run));
}
