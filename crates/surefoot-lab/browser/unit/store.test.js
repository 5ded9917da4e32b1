// The document and its history, against copies of the whole document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { Store } = await load("core/store.js");
const { GraphWorld, GridWorld } = await load("core/world.js");

const newStore = () =>
  new Store({
    world: new GridWorld(8, 6),
    links: [],
    start: [0, 0],
    goals: [[7, 5]],
    boards: [{ algorithm: "astar" }],
  });

const copy = (doc) => structuredClone({ ...doc, world: { ...doc.world } });

/** A random edit through the store. */
function edit(store, { below, between, pick, chance }) {
  const { world } = store.doc;
  const actions = {
    paint() {
      if (world.kind !== "grid") return;
      const cells = Array.from({ length: between(1, 6) }, () => below(world.nodeCount));
      store.paint("paint", cells, pick([0, 1, 4, 10]));
    },
    start: () => store.change("move start", { start: [below(8), below(6)] }),
    goals: () =>
      store.change("move goal", {
        goals: [
          [below(8), below(6)],
          [below(8), below(6)],
        ],
      }),
    boards: () =>
      store.change("settings", { boards: [{ algorithm: pick(["astar", "dijkstra"]), weight: below(9) }] }),
    links: () =>
      store.change("link", { links: [{ from: [below(8), 0], to: [0, below(6)], cost: 1, two_way: true }] }),
    map() {
      if (!chance(0.3)) return;
      const graph = new GraphWorld(
        [
          [0, 0],
          [below(9), 1],
        ],
        [],
      );
      store.change("new map", {
        world: chance(0.3) ? graph : new GridWorld(between(2, 9), between(2, 9)),
        start: null,
      });
    },
  };
  actions[pick(Object.keys(actions))]();
}

test("undo and redo are exact over random edits and gestures", () => {
  for (let round = 0; round < 60; round++) {
    const choices = random(100 + round);
    const store = newStore();
    // The naive history: a copy of the document after every entry, and where we are in it.
    let states = [copy(store.doc)];
    let at = 0;
    let noted = [];
    store.on("history", () => noted.push(copy(store.doc)));
    const remember = (snapshots) => {
      for (const snapshot of snapshots) states = [...states.slice(0, ++at), snapshot];
      noted = [];
    };
    for (let turn = 0; turn < 120; turn++) {
      const context = `round ${round}, turn ${turn}`;
      const action = choices.below(12);
      if (action < 5) edit(store, choices);
      else if (action < 6) store.begin("gesture");
      else if (action < 7) store.end();
      else {
        const back = action < 10;
        const label = back ? store.undo() : store.redo();
        // The last event is the step itself; one before it is the end of a gesture.
        remember(label === null ? noted : noted.slice(0, -1));
        const wanted = back ? at - 1 : at + 1;
        assert.equal(label !== null, wanted >= 0 && wanted < states.length, context);
        if (label !== null) at = wanted;
        assert.deepEqual(copy(store.doc), states[at], context);
      }
      remember(noted);
      assert.equal(store.undoLabel === null, at === 0, context);
      assert.equal(store.redoLabel === null, at === states.length - 1, context);
    }
  }
});

test("a gesture is one entry, however many cells it paints", () => {
  const store = newStore();
  store.begin("paint");
  store.paint("paint", [1, 2], 0);
  store.paint("paint", [2, 3], 4);
  store.change("move start", { start: [5, 5] });
  store.end();
  assert.equal(store.undo(), "paint");
  assert.deepEqual([...store.doc.world.cost.subarray(0, 4)], [1, 1, 1, 1]);
  assert.deepEqual(store.doc.start, [0, 0]);
  assert.equal(store.undo(), null);
  assert.equal(store.redo(), "paint");
  assert.deepEqual([...store.doc.world.cost.subarray(0, 4)], [1, 0, 4, 4]);
  assert.deepEqual(store.doc.start, [5, 5]);
});

test("what changes nothing is not remembered", () => {
  const store = newStore();
  store.paint("paint", [1, 2], 1);
  store.begin("nothing");
  store.end();
  assert.equal(store.undoLabel, null);
});

test("undo finishes the gesture that it interrupts", () => {
  const store = newStore();
  store.begin("paint");
  store.paint("paint", [9], 0);
  assert.equal(store.undo(), "paint");
  assert.equal(store.doc.world.cost[9], 1);
});

test("events tell what changed, once", () => {
  const store = newStore();
  const events = [];
  for (const type of ["cells", "fields", "change"]) store.on(type, (detail) => events.push([type, detail]));
  store.paint("paint", [4, 4, 5], 0);
  store.change("move start", { start: [1, 1] });
  store.undo();
  store.undo();
  assert.deepEqual(events, [
    ["cells", Uint32Array.of(4, 5)],
    ["change", undefined],
    ["fields", new Set(["start"])],
    ["change", undefined],
    ["fields", new Set(["start"])],
    ["change", undefined],
    ["cells", Uint32Array.of(4, 5)],
    ["change", undefined],
  ]);
});

test("a gesture that meets a new map is undone map by map", () => {
  const store = newStore();
  const first = store.doc.world;
  store.paint("wall", [8], 0);
  store.begin("paint");
  store.paint("paint", [47], 0);
  store.change("maze", { world: new GridWorld(3, 3) });
  store.paint("paint", [8], 4);
  store.end();
  assert.equal(store.doc.world.cost[8], 4);
  while (store.undoLabel !== "wall") store.undo();
  assert.equal(store.doc.world, first);
  assert.equal(first.cost[8], 0, "cells of the new map do not leak into the old one");
  assert.equal(first.cost[47], 1);
  while (store.redoLabel) store.redo();
  assert.equal(store.doc.world.width, 3);
  assert.equal(store.doc.world.cost[8], 4);
  assert.equal(first.cost[47], 0);
});
