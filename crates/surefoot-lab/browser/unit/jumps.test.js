// Jumps as lines on the map.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OPEN, encoder } from "./support/events.js";
import { load } from "./support/page.js";

const { ARC, HIDDEN, JumpList, LINE } = await load("board/jump-list.js");
const { Timeline } = await load("core/trace.js");
const { GridWorld } = await load("core/world.js");

/** The one jump between two places, on a map with walls. */
function jump(from, to, { walls = [], links = [], ...rules } = {}) {
  const world = new GridWorld(12, 9);
  for (const wall of walls) world.cost[world.indexOf(wall)] = 0;
  const timeline = new Timeline(world.nodeCount, { width: 12 });
  const event = { action: OPEN, side: 0, node: world.indexOf(to), parent: world.indexOf(from), g: 5, h: 0 };
  timeline.append(encoder()([event]), 1);
  const list = new JumpList(timeline, world, links, { moves: "8", anyAngle: false, ...rules });
  list.extend();
  assert.equal(list.length, 1);
  const points = [...list.points.subarray(0, 6)];
  assert.deepEqual([points.slice(0, 2), points.slice(4)], [from, to]);
  return [list.kinds[0], points.slice(2, 4)];
}

test("first the diagonal, then the straight part", () => {
  assert.deepEqual(jump([1, 1], [8, 4]), [LINE, [4, 4]]);
  assert.deepEqual(jump([8, 7], [6, 0]), [LINE, [6, 5]]);
  assert.deepEqual(jump([1, 1], [1, 6]), [LINE, [1, 1]]);
  assert.deepEqual(jump([1, 1], [5, 5]), [LINE, [5, 5]]);
});

test("without diagonal moves first the column, then the row", () => {
  assert.deepEqual(jump([1, 1], [8, 4], { moves: "4" }), [LINE, [8, 1]]);
});

test("any angle is a straight line", () => {
  assert.deepEqual(jump([1, 1], [8, 4], { anyAngle: true }), [LINE, [8, 4]]);
});

test("the other way round if a wall is in the way, an arc if walls are in both", () => {
  assert.deepEqual(jump([1, 1], [8, 4], { walls: [[3, 3]] }), [LINE, [5, 1]]);
  assert.equal(jump([1, 1], [8, 4], { walls: [[3, 3], [3, 1]] })[0], ARC);
});

test("links are drawn elsewhere", () => {
  const links = [{ from: [8, 4], to: [1, 1], cost: 1, two_way: false }];
  assert.equal(jump([1, 1], [8, 4], { links })[0], HIDDEN);
  assert.equal(jump([1, 1], [8, 5], { links })[0], LINE);
});
