// Units that walk, with a server that only takes notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

globalThis.requestAnimationFrame ??= () => 0;
/** A clock that only tests move. */
const START = 1000;
performance.now = () => START;
const { liveOver } = await import("./support/server.js");
const { stateWords } = await load("core/live-unit.js");
const { Store } = await load("core/store.js");
const { GraphWorld, GridWorld } = await load("core/world.js");

function newLab(boards = 1) {
  const store = new Store({
    world: new GridWorld(12, 8),
    links: [],
    start: [1, 1],
    goals: [[10, 6]],
    boards: Array.from({ length: boards }, () => ({ algorithm: "d_star_lite", moves: "8", radius: 0, terrain: "mean" })),
  });
  const lab = liveOver(store);
  const { connection, last } = lab;
  const unit = (board, cell, fields = {}) => ({
    board, cell, at: [cell[0] + 0.5, cell[1] + 0.5], state: "walking", reason: null, message: null, travelled: 0,
    path: null, replan: null, ...fields,
  });
  const ticked = (units, fields = {}) =>
    connection.emit("message", { type: "ticked", live: last("live").live, tick: 1, target: [10, 6], units, ...fields });
  return { ...lab, unit, ticked };
}

const types = (sent) => sent.map(({ type }) => type);

test("units begin at the start, and one tick is under way at a time", () => {
  const { live, sent, last, unit, ticked } = newLab(2);
  live.start();
  assert.deepEqual(types(sent), ["world", "live", "tick"]);
  const { boards, debug, target } = last("live");
  assert.deepEqual(boards.map(({ board, query }) => [board, query.start, query.goals, query.algorithm]), [
    [0, [1, 1], [[10, 6]], "d_star_lite"],
    [1, [1, 1], [[10, 6]], "d_star_lite"],
  ]);
  assert.deepEqual([debug, target.kind], [false, "stay"]);
  live.frame(START + 100);
  assert.equal(types(sent).filter((type) => type === "tick").length, 1, "the first answer is awaited");
  ticked([unit(0, [1, 1]), unit(1, [1, 1])]);
  live.frame(START + 200);
  assert.equal(last("tick").ticks, 12, "twelve sixtieths have passed");
});

test("painted cells are told before the next tick; nothing is searched meanwhile", () => {
  const { live, store, sent, unit, ticked } = newLab();
  live.start();
  ticked([unit(0, [1, 1])]);
  sent.length = 0;
  store.paint("paint", [30, 31], 0);
  live.frame(START + 50);
  assert.deepEqual(types(sent), ["edit", "tick"]);
  assert.deepEqual(sent[0].runs, [[6, 2, 2, 0]]);
});

test("what is before a unit follows its steps, and another path", () => {
  const { live, unit, ticked } = newLab();
  live.start();
  const path = [[1, 1], [2, 2], [3, 3], [4, 4]];
  ticked([unit(0, [1, 1], { path })]);
  assert.deepEqual(live.units[0].ahead, path.slice(1));
  ticked([unit(0, [3, 3])]);
  assert.deepEqual(live.units[0].ahead, [[4, 4]]);
  ticked([unit(0, [3, 3], { path: [[3, 3], [4, 3]] })]);
  assert.deepEqual(live.units[0].ahead, [[4, 3]]);
  ticked([unit(0, [3, 3], { state: "stuck", reason: "walled_in", path: [] })]);
  assert.deepEqual(live.units[0].ahead, []);
  assert.equal(stateWords(live.units[0]), "stuck: walled in");
});

test("options and boards: units go on where they are, or begin again", () => {
  const { live, store, last, unit, ticked } = newLab();
  live.start();
  ticked([unit(0, [4, 4], { travelled: 5 })], { target: [9, 5], tick: 30 });
  live.set({ sensing: 5, targetKind: "flee" });
  const { boards, sensing, target } = last("live");
  assert.deepEqual([boards[0].query.start, boards[0].query.goals, sensing, target.kind], [[4, 4], [[9, 5]], 5, "flee"]);
  ticked([unit(0, [4, 4], { travelled: 1 })], { target: [9, 5] });
  assert.deepEqual([live.tick, live.units[0].travelled], [31, 6], "time and ways go on too");
  const { live: before } = last("live");
  live.set({ speed: 20 });
  assert.equal(last("live").live, before, "the speed is a matter of the page");
  store.change("settings", { boards: [{ algorithm: "astar" }, { algorithm: "d_star_lite" }] });
  assert.deepEqual(last("live").boards.map(({ query }) => query.start), [[1, 1], [1, 1]]);
  assert.equal(live.units.length, 2);
  store.change("graph", { world: new GraphWorld([[0, 0]], []), start: 0, goals: [0] });
  assert.equal(live.active, false);
  assert.equal(last("halt").live, last("live").live);
  assert.match(live.obstacle, /grids/);
});

test("another habit of the target and watching leave units and their plans as they are", () => {
  const { live, connection, sent, last, unit, ticked } = newLab(2);
  live.start({ playing: false });
  const replan = { count: 1, expanded: 40, fresh: null, fresh_count: 0, us: 5 };
  ticked([unit(0, [1, 1], { replan }), unit(1, [1, 1], { replan })]);
  const { live: number } = last("live");
  sent.length = 0;
  live.set({ targetKind: "flee" });
  live.set({ targetShare: 0.25 });
  const flees = { type: "adjust", live: number, target: { kind: "flee", speed: 3, seed: 1 }, debug: null };
  assert.deepEqual(sent, [flees, { ...flees, target: { ...flees.target, speed: 1.5 } }]);
  sent.length = 0;
  live.set({ watched: true });
  const watches = { type: "adjust", live: number, target: null, debug: true };
  assert.deepEqual(sent, [watches, { type: "tick", live: number, ticks: 0 }], "and asks what is known by now");
  assert.ok(live.units.every(({ knowledge }) => knowledge !== null));
  connection.emit("message", { type: "ticked", live: number, tick: 1, target: [10, 6], units: [] });
  assert.equal(live.isWaiting, false);
  live.set({ watched: false });
  assert.ok(live.units.every(({ knowledge }) => knowledge === null));
  assert.deepEqual(live.replans.totals.map(({ first, replans }) => [first, replans]), [[40, 0], [40, 0]]);
});

test("every answer is waited for, of an older beginning none", () => {
  const { live, unit, ticked } = newLab();
  live.start({ playing: false });
  ticked([unit(0, [1, 1])]);
  live.step();
  live.set({ watched: true });
  ticked([unit(0, [1, 1])], { tick: 2 });
  assert.equal(live.isWaiting, true, "the second one is on its way");
  ticked([unit(0, [1, 1])], { tick: 2 });
  assert.equal(live.isWaiting, false);
  live.step();
  live.set({ sensing: 5 });
  ticked([unit(0, [1, 1])]);
  assert.equal(live.isWaiting, false);
});

test("units that arrive together are announced together", () => {
  const { live, unit, ticked } = newLab(2);
  const told = [];
  live.on("standing", (units) => told.push(units.map(({ board, state }) => [board, state])));
  live.start();
  ticked([unit(0, [2, 2]), unit(1, [2, 2])]);
  ticked([unit(0, [10, 6], { state: "arrived" }), unit(1, [10, 6], { state: "arrived" })]);
  ticked([unit(0, [10, 6], { state: "arrived" }), unit(1, [10, 6], { state: "arrived" })]);
  assert.deepEqual(told, [[[0, "arrived"], [1, "arrived"]]]);
});

test("placing moves no place of the document", () => {
  const { live, store, last, unit, ticked } = newLab();
  live.start();
  ticked([unit(0, [10, 6], { state: "arrived" })]);
  live.place({ target: [2, 2] });
  assert.deepEqual([last("place").unit, last("place").target, last("place").board], [null, [2, 2], null]);
  assert.deepEqual(live.target, [2, 2]);
  assert.equal(live.units[0].state, "walking", "it has somewhere to go again");
  live.place({ unit: [5, 5] });
  assert.deepEqual(live.units[0].cell, [5, 5]);
  assert.deepEqual([store.doc.start, store.doc.goals, store.undoLabel], [[1, 1], [[10, 6]], null]);
});

test("old answers are no news, and what the server refuses is told", () => {
  const { live, connection, last, unit, ticked } = newLab();
  const refused = [];
  live.on("refused", (text) => refused.push(text));
  live.start();
  ticked([unit(0, [7, 7])], { live: last("live").live - 1 });
  assert.deepEqual(live.units[0].cell, [1, 1]);
  connection.emit("message", { type: "error", board: null, run: null, message: "no such thing" });
  assert.deepEqual([refused, live.active], [["no such thing"], false], "what never began is over");
  live.start();
  ticked([unit(0, [1, 1])]);
  live.step();
  connection.emit("message", { type: "error", board: null, run: null, message: "too long" });
  assert.deepEqual([refused.at(-1), live.active, live.playing], ["too long", true, false]);
});
