// A server that only takes notes.

import { load } from "./page.js";

const { Emitter } = await load("core/emitter.js");
const { Live } = await load("core/live.js");
const { Runner } = await load("core/runs.js");

/** A connection over a store, what was sent, and the last message of a type. */
export function serverOver(store) {
  const connection = new Emitter();
  const sent = [];
  Object.assign(connection, { isOpen: true, send: (message) => sent.push(structuredClone(message)) });
  const runner = new Runner(store, connection);
  const last = (type) => sent.findLast((message) => message.type === type);
  return { store, connection, sent, runner, last };
}

/** The same with what is live over it. */
export function liveOver(store) {
  const server = serverOver(store);
  return { ...server, live: new Live(store, server.runner, server.connection) };
}
