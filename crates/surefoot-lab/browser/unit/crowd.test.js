// Crowds, with a server that only takes notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

globalThis.requestAnimationFrame ??= () => 0;
/** A clock that only tests move. */
const START = 1000;
performance.now = () => START;
const { serverOver } = await import("./support/server.js");
const { Crowd } = await load("core/crowd.js");
const { readCrowd, readWaits } = await load("core/binary.js");
const { crowdGesture } = await load("tools/crowd-tools.js");
const { Store } = await load("core/store.js");
const { GraphWorld, GridWorld } = await load("core/world.js");

/** The bytes that docs/lab-protocol.md prescribes for units `{number, state, jam, group, at, radius, stalled}`. */
function crowdBytes(live, units) {
  const bytes = new DataView(new ArrayBuffer(12 + 16 * units.length));
  bytes.setUint8(0, 8);
  bytes.setUint32(4, live, true);
  bytes.setUint32(8, units.length, true);
  units.forEach(({ number, state = 2, jam = 0, group = 0, at, radius = 0.4, stalled = 0 }, i) => {
    const from = 12 + 16 * i;
    bytes.setUint32(from, number + state * 2 ** 20 + jam * 2 ** 23 + group * 2 ** 24, true);
    at.forEach((value, axis) => bytes.setFloat32(from + 4 + 4 * axis, value, true));
    bytes.setUint16(from + 12, Math.round(1024 * radius), true);
    bytes.setUint16(from + 14, Math.round(10 * stalled), true);
  });
  return bytes;
}

function newCrowd({ limit = 100 } = {}) {
  const store = new Store({
    world: new GridWorld(12, 8),
    links: [],
    start: [1, 1],
    goals: [[10, 6]],
    boards: [{ algorithm: "astar", moves: "8", radius: 0, terrain: "mean" }],
  });
  const server = serverOver(store);
  const crowd = new Crowd(store, server.runner, server.connection, { limit });
  const { connection, last } = server;
  let begun = null;
  /** An answer of the server to a tick. */
  const told = (units, fields = {}) => {
    begun = last("crowd") ?? begun;
    const { live } = begun;
    connection.emit("crowd", readCrowd(crowdBytes(live, units)));
    const states = { idle: 0, waiting: 0, walking: 0, riding: 0, arrived: 0, stuck: 0, held: 0 };
    connection.emit("message", { type: "crowd", live, tick: 1, units: units.length, ...states, jams: {}, frames: [], unit: null, ...fields });
  };
  const events = [];
  for (const type of ["arrived", "refused"]) crowd.on(type, (detail) => events.push([type, detail]));
  return { ...server, store, crowd, told, events };
}

const types = (sent) => sent.map(({ type }) => type);

test("units are read as they were written", () => {
  const { live, units } = readCrowd(
    crowdBytes(70_000, [
      { number: 9_999, state: 4, group: 7, at: [2.5, 3.25], radius: 1.5 },
      { number: 3, state: 2, jam: 1, group: 0, at: [1, 2], radius: 0.25, stalled: 1.5 },
    ]),
  );
  assert.deepEqual([live, units.count], [70_000, 2]);
  assert.deepEqual([units.number(0), units.state(0), units.isInJam(0), units.group(0)], [9_999, "arrived", false, 7]);
  assert.deepEqual([units.x(0), units.y(0), units.radius(0), units.isHeld(0)], [2.5, 3.25, 1.5, false]);
  assert.deepEqual([units.number(1), units.state(1), units.isInJam(1), units.stalled(1), units.isHeld(1)], [3, "walking", true, 1.5, true]);
  assert.deepEqual([units.indexOf(3), units.indexOf(4)], [1, -1]);
  assert.deepEqual([units.at(2.6, 3), units.at(5, 5), units.at(1.4, 2), units.at(1.4, 2, 0.5)], [0, -1, -1, 1]);
  const rest = units.without([9_999]);
  assert.deepEqual([rest.count, rest.number(0), rest.x(0)], [1, 3, 1]);
  const waits = new DataView(new ArrayBuffer(28));
  waits.setUint32(4, 5, true);
  waits.setUint32(8, 2, true);
  [[7, 0.5], [9, 2]].forEach(([cell, seconds], i) => {
    waits.setUint32(12 + 8 * i, cell, true);
    waits.setFloat32(16 + 8 * i, seconds, true);
  });
  assert.deepEqual(readWaits(waits), { live: 5, cells: [7, 9], seconds: [0.5, 2] });
});

test("a crowd begins without units; they join, are sent, and walk at the pace of the page", () => {
  const { crowd, sent, last, told, store } = newCrowd();
  crowd.start();
  assert.deepEqual(types(sent), ["world", "crowd", "tick"]);
  assert.deepEqual(last("tick").ticks, 0);
  told([]);
  crowd.frame(START + 100);
  assert.equal(crowd.isWaiting, false, "nobody walks");
  crowd.set({ group: 2 });
  assert.equal(crowd.spawn([[1.5, 1.5], [2.5, 1.5]]), 2);
  assert.deepEqual([last("spawn").group, last("spawn").at, crowd.count], [2, [[1.5, 1.5], [2.5, 1.5]], 2]);
  crowd.send([9, 6]);
  assert.deepEqual([last("send").group, last("send").goal], [2, [9, 6]]);
  sent.length = 0;
  store.paint("paint", [30], 0);
  crowd.frame(START + 200);
  assert.deepEqual(types(sent), ["edit", "tick"], "what was painted is told before");
  assert.equal(last("tick").ticks, 1, "how long ticks take is not known yet");
  const units = [0, 1].map((number) => ({ number, group: 2, at: [1.5 + number, 1.5] }));
  crowd.frame(START + 210);
  assert.equal(types(sent).length, 2, "one answer is awaited at a time");
  told(units, { frames: [5000] });
  crowd.frame(START + 300);
  assert.equal(last("tick").ticks, 6, "not more than take 30 ms");
});

test("no more units than the lab takes, and those that joined last leave first", () => {
  const { crowd, last, told, events } = newCrowd({ limit: 4 });
  crowd.start({ playing: false });
  told([]);
  crowd.setCount(3);
  assert.equal(new Set(last("spawn").at.map(String)).size, 3, "each has a cell of its own");
  assert.equal(crowd.spawn([[1.5, 1.5], [2.5, 1.5]]), 1);
  assert.match(events.at(-1)[1], /up to 4 units/);
  const units = [0, 1, 2, 3].map((number) => ({ number, at: [number + 0.5, 0.5] }));
  told([]);
  assert.equal(crowd.count, 4, "that answer is older than they are");
  told(units);
  told(units);
  crowd.setCount(1);
  assert.deepEqual(last("dismiss").units, [1, 2, 3]);
  assert.deepEqual([crowd.count, crowd.units.count], [1, 1]);
});

test("another world or another rule: an empty crowd, or the same units where they are", () => {
  const { crowd, sent, last, told, store } = newCrowd();
  crowd.start({ groups: [{ at: [[1.5, 1.5]], goal: [9, 6] }, { at: [[5.5, 5.5]], goal: [1, 1] }] });
  assert.deepEqual(types(sent), ["world", "crowd", "spawn", "spawn", "send", "send", "tick"]);
  const { live } = last("crowd");
  told([{ number: 0, at: [3, 3] }, { number: 1, group: 1, at: [4, 4], radius: 1.5 }]);
  sent.length = 0;
  crowd.set({ avoidance: "none" });
  assert.deepEqual(types(sent), ["crowd", "spawn", "spawn", "send", "send", "tick"]);
  assert.deepEqual([last("crowd").avoidance, last("crowd").live], ["none", live + 1]);
  assert.deepEqual(sent.slice(1, 3).map(({ group, radius, at }) => [group, Number(radius.toFixed(2)), at]), [
    [0, 0.4, [[3, 3]]],
    [1, 1.5, [[4, 4]]],
  ]);
  crowd.set({ jams: false });
  assert.equal(sent.filter(({ type }) => type === "spawn").length, 4, "none is lost before the first answer");
  crowd.restart();
  assert.deepEqual(sent.findLast(({ type, group }) => type === "spawn" && group === 1).at, [[5.5, 5.5]]);
  store.change("new", { world: new GridWorld(5, 5) });
  assert.deepEqual([crowd.active, crowd.count, crowd.goals.every((goal) => goal === null)], [true, 0, true]);
  store.change("graph", { world: new GraphWorld([[0, 0]], []), start: 0, goals: [0] });
  assert.equal(crowd.active, false);
  assert.equal(last("halt").live, last("crowd").live);
});

test("arrivals are told once, old answers are no news, refusals end nothing", () => {
  const { crowd, connection, last, told, events } = newCrowd();
  crowd.start({ groups: [{ at: [[1.5, 1.5]], goal: [9, 6] }] });
  const unit = { number: 0, state: 4, at: [9.5, 6.5] };
  told([unit], { arrived: 1 });
  told([unit], { arrived: 1 });
  assert.deepEqual(events, [["arrived", 1]]);
  connection.emit("message", { type: "crowd", live: last("crowd").live - 1, tick: 9, units: 7, frames: [] });
  assert.deepEqual([crowd.tick, crowd.count], [1, 1]);
  connection.emit("message", { type: "error", board: null, run: null, message: "spawn: found group 8" });
  assert.deepEqual([events.at(-1)[1], crowd.playing], ["spawn: found group 8", true]);
  connection.emit("message", { type: "error", board: null, run: null, message: "live: these ticks took longer" });
  assert.deepEqual([crowd.playing, crowd.active, crowd.isWaiting], [false, true, false]);
  crowd.select(0);
  assert.deepEqual([last("watch").unit, crowd.unit], [0, null]);
  told([unit], { unit: { unit: 0, state: "arrived" } });
  assert.equal(crowd.unit.state, "arrived");
});

test("buttons and tools: dragging places units side by side, a click on one watches it", () => {
  const { crowd, store, last, told } = newCrowd();
  crowd.start({ playing: false });
  told([{ number: 5, at: [8.5, 1.5] }]);
  store.paint("paint", [store.doc.world.index(4, 2)], 0);
  const ui = { tool: "brush" };
  const app = { crowd, store, ui, camera: { scale: 20 }, announce: () => {} };
  const at = (x, y, button = 0) => ({ x, y, button, node: store.doc.world.indexOf([Math.floor(x), Math.floor(y)]) });
  const gesture = (...places) => {
    let painted = 0;
    const each = crowdGesture(app, places[0], () => ({ move: () => painted++ }));
    for (const place of places) each.move?.(place);
    each.up?.(places.at(-1));
    return painted;
  };
  gesture(at(1.5, 2.5, 1), at(6.5, 2.5, 1));
  const xs = last("spawn").at.map(([x]) => x);
  assert.ok(xs.length >= 3 && xs.every((x) => x < 4 || x >= 5), `not in the wall: ${xs}`);
  assert.ok(xs.every((x, i) => i === 0 || x - xs[i - 1] > 0.8), `side by side: ${xs}`);
  gesture(at(2.5, 5.5, 2), at(3.5, 5.5, 2));
  assert.deepEqual(last("send").goal, [3, 5], "where the button is released");
  assert.equal(gesture(at(8.6, 1.5)), 0, "a click on a unit");
  assert.deepEqual([crowd.selected, last("watch").unit], [5, 5]);
  gesture(at(8.6, 1.5));
  assert.equal(crowd.selected, null);
  assert.ok(gesture(at(8.6, 1.5), at(9.5, 1.5)) > 0, "a stroke that begins there paints");
  assert.ok(gesture(at(0.5, 0.5)) > 0, "where there is no unit the tool is used");
  ui.tool = "send";
  gesture(at(0.5, 0.5));
  assert.deepEqual(last("send").goal, [0, 0]);
});
