// The real server, started from the command line.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BUILT = fileURLToPath(new URL("../../../../../target/release/surefoot", import.meta.url));
const BINARY = process.env.SUREFOOT_BIN ?? BUILT;
/** A folder to serve the page from, in place of the one that is built in. */
const PAGE = process.env.SUREFOOT_LAB_PAGE;

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => process.exit(1));

export class Server {
  #child;

  /** Starts one on a free port, or on the port that is given. */
  static async start(port = 0) {
    if (!existsSync(BINARY))
      throw new Error(`no ${BINARY}: run cargo build --release, or name one in SUREFOOT_BIN`);
    const page = PAGE ? ["--page", PAGE] : [];
    const child = spawn(BINARY, ["lab", "--port", `${port}`, "--no-open", ...page], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const line = await Promise.race([
      once(createInterface(child.stdout), "line").then(([text]) => text),
      once(child, "exit").then(([code]) => Promise.reject(new Error(`${BINARY} lab ended with ${code}`))),
    ]);
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (!url) throw new Error(`expected an address, found: ${line}`);
    return new Server(child, url);
  }

  constructor(child, url) {
    this.#child = child;
    this.url = url;
    this.port = Number(new URL(url).port);
    child.stdout.resume();
  }

  /** Ends it at once, as a crash would. */
  async kill() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
