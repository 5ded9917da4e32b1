// Worlds: what is written reads back the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { FLOOR, GraphWorld, GridWorld, WALL, defineKind, readWorld, tidied, writeWorld } = await load("core/world.js");

const throughText = (world, links) => readWorld(JSON.parse(JSON.stringify(writeWorld(world, links))));

test("random grids survive being written and read", () => {
  const { below, between, chance, pick } = random(1);
  for (let round = 0; round < 300; round++) {
    const [width, height] = [between(1, 90), between(1, 12)];
    const cost = new Uint8Array(width * height);
    for (let index = 0; index < cost.length; index++) {
      // Long runs of one cost are what the short form of a row is for.
      cost[index] = index > 0 && chance(0.7) ? cost[index - 1] : pick([WALL, FLOOR, 4, 9, 10, 37, 255]);
    }
    const place = () => [below(width), below(height)];
    const links = Array.from({ length: below(4) }, () => ({
      from: place(),
      to: place(),
      cost: between(0, 40) / 4,
      two_way: chance(0.5),
    }));
    const frame = chance(0.3) ? { origin: [between(-5, 5), 2.5, 0], cell_size: 0.5 } : {};
    const world = new GridWorld(width, height, cost, frame);
    assert.deepEqual(throughText(world, links), { world, links });
  }
});

test("random graphs survive being written and read", () => {
  const { below, between, chance } = random(2);
  for (let round = 0; round < 100; round++) {
    const count = between(1, 30);
    const nodes = Array.from({ length: count }, () => [between(-50, 50) / 4, between(-50, 50) / 4]);
    const edges = Array.from({ length: below(60) }, () => ({
      from: below(count),
      to: below(count),
      cost: chance(0.5) ? between(0, 100) / 8 : null,
      kind: chance(0.8) ? "road" : "link",
      two_way: chance(0.5),
    }));
    const world = new GraphWorld(nodes, edges);
    assert.deepEqual(throughText(world), { world, links: [] });
  }
});

test("the rows of the documentation are read", () => {
  const { world, links } = readWorld({
    kind: "grid",
    width: 6,
    height: 3,
    rows: ["......", ".##44.", ".(10){3}.."],
    links: [{ from: [0, 0], to: [5, 2], cost: 0.5 }],
  });
  assert.deepEqual([...world.cost], [1, 1, 1, 1, 1, 1, 1, 0, 0, 4, 4, 1, 1, 10, 10, 10, 1, 1]);
  assert.deepEqual(links, [{ from: [0, 0], to: [5, 2], cost: 0.5, two_way: false }]);
});

test("places and indices of a grid are two names of one thing", () => {
  const world = new GridWorld(7, 4);
  for (let index = 0; index < world.nodeCount; index++)
    assert.equal(world.indexOf(world.place(index)), index);
  for (const outside of [[-1, 0], [7, 0], [0, 4], [0, -1], null, undefined]) {
    assert.equal(world.indexOf(outside), -1);
  }
  world.cost[3] = WALL;
  assert.equal(world.isOpen(3), false);
  assert.equal(world.isOpen(4), true);
  assert.deepEqual(world.bounds(), { left: 0, top: 0, right: 7, bottom: 4 });
});

test("a graph knows its nodes and what it covers", () => {
  const world = new GraphWorld([[0, 0], [10, -4]], []);
  assert.equal(world.indexOf(1), 1);
  for (const outside of [2, -1, 0.5, null, [0, 0]]) assert.equal(world.indexOf(outside), -1);
  const { left, top, right, bottom } = world.bounds();
  assert.ok(left < 0 && top < -4 && right > 10 && bottom > 0);
  const empty = new GraphWorld([], []).bounds();
  assert.ok(empty.right > empty.left && empty.bottom > empty.top);
});

test("another kind of world is read and written by its own module", () => {
  const hexes = { kind: "hex", rings: 3 };
  assert.throws(() => readWorld(hexes), /cannot show worlds of the kind “hex”/);
  defineKind("hex", {
    read: ({ rings }) => ({ world: { kind: "hex", rings }, links: [] }),
    write: ({ rings }) => ({ rings }),
  });
  const map = throughText(hexes);
  assert.deepEqual(map, { world: hexes, links: [] });
  assert.equal(tidied(map), map);
});
