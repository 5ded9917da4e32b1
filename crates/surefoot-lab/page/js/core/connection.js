// Talking with the server: see docs/lab-protocol.md.

import {
  KINDS, readChokes, readCrowd, readForecast, readKnowledge, readObstacles, readPiece, readSketch, readTouched, readWaits,
} from "./binary.js";
import { Emitter } from "./emitter.js";

/**
 * The WebSocket. Events: `open`, `closed` (text), `message` (an object), `piece` ({board, run, events, bytes}), `sketch`
 * ({board, run, table, totals, parts, places, ways}), `knowledge`, `chokes`, `obstacles`, `touched`, `forecast`, `crowd` and
 * `waits` (see binary.js).
 * It comes back by itself when it is lost.
 */
export class Connection extends Emitter {
  #socket = null;
  #retry = 250;

  constructor(url) {
    super();
    this.url = url;
    this.connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#retry = 250;
      this.emit("open");
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ reason }) => {
      this.emit("closed", reason || "The lab’s server is not responding.");
      setTimeout(() => this.connect(), this.#retry);
      this.#retry = Math.min(2 * this.#retry, 8000);
    };
    this.#socket = socket;
  }

  send(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  #receive(data) {
    if (typeof data === "string") return this.emit("message", JSON.parse(data));
    const head = new DataView(data);
    switch (head.getUint8(0)) {
      case KINDS.sketch:
        return this.emit("sketch", readSketch(head));
      case KINDS.knowledge:
        return this.emit("knowledge", readKnowledge(head));
      case KINDS.chokes:
        return this.emit("chokes", readChokes(head));
      case KINDS.obstacles:
        return this.emit("obstacles", readObstacles(head));
      case KINDS.touched:
        return this.emit("touched", readTouched(head));
      case KINDS.forecast:
        return this.emit("forecast", readForecast(head));
      case KINDS.crowd:
        return this.emit("crowd", readCrowd(head));
      case KINDS.waits:
        return this.emit("waits", readWaits(head));
      default:
        return this.emit("piece", readPiece(head));
    }
  }
}

async function call(path, options) {
  const answer = await fetch(path, options);
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({}));
  throw new Error(error ?? `The server returned status ${answer.status}.`);
}

const post = (path, body) => call(path, { method: "POST", body });
const query = (values) => new URLSearchParams(values).toString();

/** One-off calls. Each fails with an Error whose message can be shown. */
export const api = {
  about: async () => (await call("/api/about")).json(),
  gallery: async (name) => (await call(`/api/gallery/${encodeURIComponent(name)}`)).json(),
  generate: async (kind, width, height, seed) =>
    (await call(`/api/generate?${query({ kind, width, height, seed })}`)).json(),
  open: async (name, bytes) => (await post(`/api/open?${query({ name })}`, bytes)).json(),
  export: async (format, world) => (await post(`/api/export?${query({ format })}`, JSON.stringify(world))).blob(),
  picture: async (format, picture) =>
    (await post(`/api/picture?${query({ format })}`, JSON.stringify(picture))).blob(),
};
