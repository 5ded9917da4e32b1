// Asking for searches, with a server that only takes notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, OPEN, encoder } from "./support/events.js";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { Emitter } = await load("core/emitter.js");
const { Runner } = await load("core/runs.js");
const { Store } = await load("core/store.js");
const { GridWorld, readWorld } = await load("core/world.js");

let frames = [];
globalThis.requestAnimationFrame = (callback) => frames.push(callback);
const nextFrame = () => frames.splice(0).forEach((callback) => callback());

/** A lab without a page: what it sends is in `sent`. */
function newLab() {
  frames = [];
  const store = new Store({
    world: new GridWorld(9, 7),
    links: [],
    start: [0, 0],
    goals: [[8, 6]],
    boards: [{ algorithm: "astar" }],
  });
  const connection = new Emitter();
  const sent = [];
  // With the map as it was at that moment.
  const send = (message) => sent.push(structuredClone({ ...message, cost: store.doc.world.cost }));
  Object.assign(connection, { isOpen: true, send });
  const runner = new Runner(store, connection);
  const answer = (message) => connection.emit("message", { board: 0, ...message });
  const began = (run) => answer({ type: "began", run, promise: { kind: "optimal" } });
  const done = (run) =>
    answer({ type: "done", run, outcome: "found", promise: { kind: "optimal" }, path: [] });
  const encoders = new Map();
  const piece = (run, node = 0) => {
    if (!encoders.has(run)) encoders.set(run, encoder());
    const events = [OPEN, CLOSE].map((action) => ({ action, side: 0, node, parent: -1, g: 0, h: 0 }));
    connection.emit("piece", { board: 0, run, events: 2, bytes: encoders.get(run)(events) });
  };
  return { store, connection, runner, sent, answer, began, done, piece };
}

const last = (sent, type) => sent.findLast((message) => message.type === type);

test("the server's copy of the map is the page's after any edits", () => {
  const { below, between, pick, chance } = random(900);
  const { store, connection, runner, sent, done } = newLab();
  let copy = null;
  const serve = () => {
    for (const message of sent.splice(0)) {
      if (message.type === "world") copy = readWorld(message.world).world;
      if (message.type === "edit") {
        for (const [x, y, n, cost] of message.runs) {
          assert.ok(x + n <= copy.width, "no run leaves its row");
          copy.cost.fill(cost, copy.index(x, y), copy.index(x, y) + n);
        }
      }
      if (message.type === "run") {
        assert.deepEqual(copy.cost, message.cost);
        done(message.run);
      }
    }
  };
  for (let turn = 0; turn < 400; turn++) {
    const { nodeCount } = store.doc.world;
    const first = below(nodeCount);
    const cells = Array.from({ length: between(1, 15) }, (_, i) => (first + i) % nodeCount);
    if (chance(0.6)) store.paint("paint", cells, pick([0, 1, 4, 10]));
    else if (chance(0.5)) store.undo();
    else if (chance(0.5)) store.redo();
    else if (chance(0.2)) store.change("new map", { world: new GridWorld(between(2, 12), between(2, 12)) });
    else if (chance(0.2)) connection.emit("open");
    else runner.runAll();
    if (chance(0.5)) nextFrame();
    if (chance(0.5)) serve();
  }
  nextFrame();
  serve();
  nextFrame();
  serve();
  assert.deepEqual(copy.cost, store.doc.world.cost);
});

test("what is shown stays until the answer to a change is complete", () => {
  const { store, runner, sent, began, done, piece } = newLab();
  runner.run(0);
  const { run } = last(sent, "run");
  began(run);
  piece(run, 1);
  done(run);
  const shown = runner.boards[0].timeline;
  assert.equal(shown.steps, 1);
  store.paint("wall", [5], 0);
  nextFrame();
  const live = last(sent, "run");
  assert.equal(live.trace, true);
  began(live.run);
  piece(live.run, 2);
  assert.equal(runner.boards[0].timeline, shown);
  done(live.run);
  assert.notEqual(runner.boards[0].timeline, shown);
  assert.equal(runner.boards[0].timeline.node[0], 2);
});

test("one live request at a time, and none is forgotten", () => {
  const { store, sent, done } = newLab();
  const runs = () => sent.filter(({ type }) => type === "run");
  store.paint("wall", [5], 0);
  nextFrame();
  assert.equal(runs().length, 1);
  for (let cell = 10; cell < 20; cell++) {
    store.paint("wall", [cell], 0);
    nextFrame();
  }
  assert.equal(runs().length, 1, "the server is asked once while it has not answered");
  done(runs()[0].run);
  nextFrame();
  assert.equal(runs().length, 2, "what changed meanwhile is asked for afterwards");
});

test("answers to older questions are left alone", () => {
  const { runner, sent, began, done, piece } = newLab();
  runner.run(0);
  const old = last(sent, "run").run;
  began(old);
  runner.run(0);
  const fresh = last(sent, "run").run;
  piece(old);
  done(old);
  assert.equal(runner.boards[0].busy, true);
  began(fresh);
  piece(fresh);
  done(fresh);
  assert.equal(runner.boards[0].busy, false);
  assert.equal(runner.boards[0].timeline.steps, 1);
});

test("clearing, or a new map, in the middle of a search breaks nothing", () => {
  for (const interrupt of [
    ({ runner }) => runner.clear(),
    ({ store }) => store.change("new map", { world: new GridWorld(3, 3) }),
  ]) {
    const lab = newLab();
    const { runner, sent, began, done, piece } = lab;
    runner.run(0);
    const { run } = last(sent, "run");
    began(run);
    piece(run);
    interrupt(lab);
    piece(run);
    done(run);
    assert.equal(runner.boards[0].timeline, null);
    nextFrame();
    const next = last(sent, "run").run;
    assert.notEqual(next, run);
    began(next);
    done(next);
    assert.equal(runner.boards[0].busy, false);
    assert.equal(runner.boards[0].result.run, next);
  }
});

test("an error is kept until the next answer", () => {
  const { runner, sent, answer, began, done } = newLab();
  runner.run(0);
  answer({ type: "error", run: last(sent, "run").run, message: "start is a wall" });
  assert.equal(runner.boards[0].error, "start is a wall");
  assert.equal(runner.boards[0].busy, false);
  runner.run(0);
  const { run } = last(sent, "run");
  began(run);
  done(run);
  assert.equal(runner.boards[0].error, null);
});

test("after the connection was lost everything is sent again", () => {
  const { store, connection, runner, sent } = newLab();
  runner.run(0);
  connection.isOpen = false;
  store.paint("wall", [5], 0);
  nextFrame();
  sent.length = 0;
  connection.isOpen = true;
  connection.emit("open");
  nextFrame();
  assert.deepEqual(sent.map(({ type }) => type), ["world", "run"]);
  assert.deepEqual(readWorld(sent[0].world).world.cost, store.doc.world.cost);
});

const PREPARED = { table: 1, us: 90_000, bytes: 1000, fresh: true };
const isPrepared = (lab, run, prepared) => {
  lab.began(run);
  lab.answer({ type: "done", run, outcome: "found", promise: { kind: "optimal" }, path: [], prepared });
};
const runsIn = (sent) => sent.filter(({ type }) => type === "run").length;
const rested = () => new Promise((done) => setTimeout(done, 300));

test("a map that takes long to prepare is prepared when nothing changes any more", async () => {
  const lab = newLab();
  const { store, sent } = lab;
  lab.runner.run(0);
  isPrepared(lab, last(sent, "run").run, PREPARED);
  sent.length = 0;
  store.change("move goal", { goals: [[4, 4]] });
  nextFrame();
  assert.equal(runsIn(sent), 1, "what is prepared is used at once");
  isPrepared(lab, last(sent, "run").run, { ...PREPARED, fresh: false });
  for (const cell of [10, 11, 12]) {
    store.paint("paint", [cell], 0);
    nextFrame();
  }
  assert.equal(runsIn(sent), 1, "nothing is prepared while somebody paints");
  await rested();
  nextFrame();
  assert.equal(runsIn(sent), 2);
  isPrepared(lab, last(sent, "run").run, { ...PREPARED, table: 2, us: 900 });
  store.paint("paint", [13], 0);
  nextFrame();
  assert.equal(runsIn(sent), 3, "what is quick is not put off");
});

test("a preparation under way ends for another map, not for another goal", async () => {
  const lab = newLab();
  const { store, sent, answer, runner } = lab;
  store.paint("paint", [5], 0);
  nextFrame();
  const { run } = last(sent, "run");
  answer({ type: "preparing", run, share: 0.25 });
  assert.equal(runner.boards[0].preparing, 0.25);
  sent.length = 0;
  store.change("move goal", { goals: [[4, 4]] });
  nextFrame();
  await rested();
  nextFrame();
  assert.equal(runsIn(sent), 0);
  store.paint("paint", [6], 0);
  nextFrame();
  assert.equal(runsIn(sent), 0);
  await rested();
  nextFrame();
  assert.equal(runsIn(sent), 1);
  assert.equal(runner.boards[0].preparing, null);
});

/** What is shown of a board: a path's cost, steps, a promise. */
const shownOf = ({ result, timeline, timing, promise }) => [result?.outcome, timeline?.steps, timing?.runs, promise?.kind];

test("while a map is prepared, nothing of the search before is shown", () => {
  const lab = newLab();
  const { store, runner, sent, answer, began, done, piece } = lab;
  const cleared = [];
  runner.on("cleared", (board) => cleared.push([board, runner.boards[board].busy]));
  runner.run(0);
  const first = last(sent, "run").run;
  began(first);
  piece(first);
  done(first);
  answer({ type: "timed", run: first, runs: 3 });
  assert.deepEqual(shownOf(runner.boards[0]), ["found", 1, 3, "optimal"]);
  store.change("settings", { boards: [{ algorithm: "hpa" }] });
  nextFrame();
  const { run, trace } = last(sent, "run");
  assert.ok(trace, "what was watched is watched");
  answer({ type: "preparing", run, share: 0.1 });
  answer({ type: "preparing", run, share: 0.2 });
  assert.deepEqual(shownOf(runner.boards[0]), [undefined, undefined, undefined, undefined]);
  assert.deepEqual([cleared, runner.boards[0].preparing], [[[0, true]], 0.2]);
  began(run);
  piece(run);
  done(run);
  assert.deepEqual(shownOf(runner.boards[0]), ["found", 1, undefined, "optimal"]);
});

test("another algorithm does not wait for the answer of the one before, nor show it for long", async () => {
  const lab = newLab();
  const { store, runner, sent, began, done } = lab;
  runner.run(0);
  const first = last(sent, "run").run;
  began(first);
  done(first);
  store.paint("wall", [5], 0);
  nextFrame();
  const second = last(sent, "run").run;
  assert.notEqual(second, first);
  store.change("settings", { boards: [{ algorithm: "ida_star" }] });
  nextFrame();
  const { run, query } = last(sent, "run");
  assert.deepEqual([run > second, query.algorithm], [true, "ida_star"], "the answer under way is of no use");
  began(run);
  assert.equal(runner.boards[0].result.run, first, "a quick answer takes its place without a flicker");
  await rested();
  assert.deepEqual(shownOf(runner.boards[0]), [undefined, undefined, undefined, "optimal"], "its promise is known");
  done(run);
  assert.equal(runner.boards[0].result.run, run);
  store.paint("wall", [6], 0);
  nextFrame();
  const { run: slow } = last(sent, "run");
  assert.notEqual(slow, run);
  await rested();
  assert.equal(runner.boards[0].result.run, run, "the same algorithm's path stays until the next is there");
});

test("a sketch is shown with its answer, told to the server, and gone with its table", () => {
  const lab = newLab();
  const { connection, runner, sent, store } = lab;
  const sketch = { board: 0, table: 1, totals: { parts: 1, places: 0, ways: 0 } };
  runner.run(0);
  const first = last(sent, "run");
  assert.equal(first.sketch, 0);
  connection.emit("sketch", { ...sketch, run: first.run });
  assert.equal(runner.boards[0].sketch, null);
  isPrepared(lab, first.run, PREPARED);
  assert.equal(runner.boards[0].sketch.table, 1);
  runner.run(0);
  assert.equal(last(sent, "run").sketch, 1);
  isPrepared(lab, last(sent, "run").run, { ...PREPARED, fresh: false });
  assert.equal(runner.boards[0].sketch.table, 1, "the same table needs no other sketch");
  store.change("settings", { boards: [{ algorithm: "dijkstra" }] });
  nextFrame();
  runner.run(0);
  isPrepared(lab, last(sent, "run").run, null);
  assert.equal(runner.boards[0].sketch, null);
});

test("a search that ends before it begins shows nothing", () => {
  const { runner, sent, began, piece, done, answer } = newLab();
  runner.run(0);
  const { run } = last(sent, "run");
  began(run);
  piece(run);
  done(run);
  assert.ok(runner.boards[0].timeline);
  runner.run(0);
  const next = last(sent, "run").run;
  answer({ type: "preparing", run: next, share: 0 });
  answer({ type: "done", run: next, outcome: "cancelled", promise: null, path: [], prepared: null });
  const board = runner.boards[0];
  assert.deepEqual([board.timeline, board.busy, board.preparing, board.result.outcome], [null, false, null, "cancelled"]);
});
