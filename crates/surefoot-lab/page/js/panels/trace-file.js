// A search as a JSON file: see docs/formats.md, "Traces".

import { CLOSE, OPEN, RELAX, REOPEN } from "../core/trace.js";

/** Events between two breaths. */
const PIECE = 20_000;
const BACKWARD = 4;
const ACTIONS = { [OPEN]: "open", [RELAX]: "relax", [REOPEN]: "reopen", [CLOSE]: "close" };

/** Builds the file of a finished run. Millions of events take seconds: the page stays alive meanwhile. */
export async function traceFile(world, query, run) {
  const { timeline, result } = run;
  const { type: _type, board: _board, run: _run, ...figures } = result;
  const { width, height, size: cells, nodeCount: nodes } = world;
  const size = { grid: { width, height }, voxel: { size: cells }, graph: { nodes } }[world.kind];
  const head = { surefoot: "trace", version: 1, world: { kind: world.kind, ...size }, query, result: figures, units: "cells" };
  const parts = [`${JSON.stringify(head).slice(0, -1)},"events":[`];
  for (let from = 0; from < timeline.length; from += PIECE) {
    const to = Math.min(from + PIECE, timeline.length);
    let text = "";
    for (let event = from; event < to; event++) text += `${event > 0 ? "," : ""}\n${eventText(world, timeline, event)}`;
    // A part that is a blob is out of the page's memory.
    parts.push(new Blob([text]));
    await new Promise((resolve) => setTimeout(resolve));
  }
  parts.push("\n]}\n");
  return new Blob(parts, { type: "application/json" });
}

function eventText(world, timeline, event) {
  const place = (node) => (node < 0 ? "null" : JSON.stringify(world.place(node)));
  const number = (value) => Math.round(value * 1e4) / 1e4;
  const action = timeline.action[event];
  const side = action & BACKWARD ? `,"backward"` : "";
  const values = `${place(timeline.node[event])},${place(timeline.parent[event])},${number(timeline.g[event])},${number(timeline.h[event])}`;
  return `["${ACTIONS[action & 3]}",${values}${side}]`;
}
