// Talking with the server: see docs/lab-protocol.md.

import { Emitter } from "./emitter.js";

/** Bytes before the events in a piece of a trace. */
const PIECE_HEAD = 12;
/** The first byte of what shows a prepared map, and the bytes before its lists. */
const SKETCH = 2;
const SKETCH_HEAD = 36;

/**
 * The WebSocket. Events: `open`, `closed` (text), `message` (an object), `piece` ({board, run, events, bytes}), `sketch`
 * ({board, run, table, totals, parts, places, ways}).
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
      this.emit("closed", reason || "The lab's server does not answer.");
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
    if (head.getUint8(0) === SKETCH) return this.emit("sketch", readSketch(head));
    this.emit("piece", {
      board: head.getUint8(1),
      run: head.getUint32(4, true),
      events: head.getUint32(8, true),
      bytes: new Uint8Array(data, PIECE_HEAD),
    });
  }
}

/** What there is to see of a prepared map. Cells are indices. */
function readSketch(head) {
  const word = (at) => head.getUint32(at, true);
  const [parts, places, ways] = [word(16), word(24), word(32)];
  const afterParts = SKETCH_HEAD + 8 * parts;
  return {
    board: head.getUint8(1),
    run: word(4),
    table: word(8),
    /** How many there are, of which the lists may have a part. */
    totals: { parts: word(12), places: word(20), ways: word(28) },
    /** Columns and rows of first and last cells. */
    parts: new Uint16Array(head.buffer, SKETCH_HEAD, 4 * parts),
    places: new Uint32Array(head.buffer, afterParts, places),
    /** Pairs of cells. */
    ways: new Uint32Array(head.buffer, afterParts + 4 * places, 2 * ways),
  };
}

async function call(path, options) {
  const answer = await fetch(path, options);
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({}));
  throw new Error(error ?? `The server answered ${answer.status}.`);
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
