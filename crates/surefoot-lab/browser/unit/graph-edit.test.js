// Edits of waypoint graphs, against a graph whose nodes have names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const edits = await load("core/graph-edit.js");
const { GraphWorld } = await load("core/world.js");

const empty = () => ({ world: new GraphWorld([], []), start: null, goals: [] });

test("nodes and edges keep their neighbours, whatever is added and taken away", () => {
  for (let round = 0; round < 40; round++) {
    const { below, chance } = random(1400 + round);
    let doc = empty();
    // The naive graph: names in the order of the nodes, edges between names.
    let names = [];
    let edges = [];
    let [start, goals] = [null, []];
    for (let turn = 0; turn < 80; turn++) {
      const before = structuredClone(doc.world.nodes);
      const world = doc.world;
      if (names.length < 2 || chance(0.4)) {
        doc = { ...doc, ...edits.addNode(doc, turn, -turn) };
        if (start === null) start = turn;
        else if (goals.length === 0) goals = [turn];
        names = [...names, turn];
      } else if (chance(0.6)) {
        const [from, to] = [below(names.length), below(names.length)];
        doc = { ...doc, ...edits.addEdge(doc, { from, to, two_way: false, kind: "road" }) };
        edges = [...edges, [names[from], names[to]]];
      } else {
        const gone = below(names.length);
        doc = { ...doc, ...edits.removeNode(doc, gone) };
        const name = names[gone];
        names = names.toSpliced(gone, 1);
        edges = edges.filter((ends) => !ends.includes(name));
        if (start === name) start = null;
        goals = goals.filter((goal) => goal !== name);
      }
      assert.deepEqual(world.nodes, before, "an edit makes a new world");
      assert.deepEqual(doc.world.nodes, names.map((name) => [name, -name]));
      assert.deepEqual(doc.world.edges.map(({ from, to }) => [names[from], names[to]]), edges);
      assert.equal(doc.start === null ? null : names[doc.start], start);
      assert.deepEqual(doc.goals.map((goal) => names[goal]), goals);
    }
  }
});

test("moving a node keeps its height", () => {
  const doc = { ...empty(), world: new GraphWorld([[0, 0, 7], [1, 1]], []) };
  assert.deepEqual(edits.moveNode(doc, 0, 3, 4).world.nodes, [[3, 4, 7], [1, 1]]);
});

test("a two-way edge is found from both ends, a one-way edge from one", () => {
  const world = new GraphWorld(
    [
      [0, 0],
      [3, 4],
      [9, 9],
    ],
    [
      { from: 0, to: 1, cost: null, kind: "road", two_way: true },
      { from: 1, to: 2, cost: 4, kind: "link", two_way: false },
    ],
  );
  assert.deepEqual(
    [
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ].map(([from, to]) => edits.edgeBetween(world, from, to)),
    [0, 0, 1, -1],
  );
  assert.equal(edits.edgeCount(world), 3);
  assert.equal(edits.edgeLength(world, world.edges[0]), 5);
});

test("a link has a cost from the moment it is one", () => {
  const world = new GraphWorld(
    [
      [0, 0],
      [1, 0],
    ],
    [{ from: 0, to: 1, cost: null, kind: "road", two_way: false }],
  );
  const changed = edits.changeEdge({ world }, 0, { kind: "link" }).world.edges[0];
  assert.equal(changed.kind, "link");
  assert.ok(changed.cost > 0);
  assert.deepEqual(edits.removeEdge({ world }, 0).world.edges, []);
});

test("arrow keys reach the node they point at", () => {
  const world = new GraphWorld([[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5], [20, 1]], []);
  const from = (node, dx, dy) => edits.nextNode(world, node, dx, dy);
  assert.deepEqual([from(0, 1, 0), from(0, -1, 0), from(0, 0, 1), from(0, 0, -1)], [1, 2, 3, 4]);
  assert.equal(from(1, 1, 0), 5);
  assert.equal(from(2, -1, 0), 2, "nothing lies there");
});
