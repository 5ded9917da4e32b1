// The figures of the chart, walls for paths, and questions one at a time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { MOST_COLUMNS, ReplanLog, axisMarks, heightOf } = await load("core/replans.js");
const { chooseSome } = await load("core/drop.js");
const { Question } = await load("core/question.js");
const { verdict } = await load("tools/building.js");

const replan = (expanded, us = 10, count = 1, fresh = null) => ({ count, expanded, us, fresh, fresh_count: fresh === null ? 0 : 1 });

test("totals and means are those of all replans, columns those of the last", () => {
  const log = new ReplanLog();
  log.clear(2);
  assert.equal(log.meanOf(0), null);
  assert.equal(log.add(1, [null, null]), false, "without a replan there is no column");
  for (let i = 0; i < 200; i++) log.add(i, [replan(i, 2), i % 2 === 0 ? replan(1000, 30, 2) : null]);
  assert.equal(log.columns.length, MOST_COLUMNS);
  assert.deepEqual(log.columns.at(-1), { tick: 199, values: [199, null], fresh: [false, false] });
  assert.equal(log.columns[0].tick, 80);
  assert.deepEqual(log.totals[0], { first: null, replans: 200, expanded: 19900, us: 400, fresh: 0 });
  assert.deepEqual(log.meanOf(0), { expanded: 99.5, us: 2 });
  assert.deepEqual(log.meanOf(1), { expanded: 500, us: 15 }, "an answer may be about several replans");
  assert.deepEqual([log.lastOf(0), log.lastOf(1), log.most], [199, 500, 500]);
  log.clear(1);
  assert.deepEqual([log.columns.length, log.totals.length, log.lastOf(0), log.most], [0, 1, null, 0]);
});

test("a first plan is in the chart, but is no replan", () => {
  const log = new ReplanLog();
  log.clear(1);
  log.add(1, [replan(900)], true);
  assert.deepEqual([log.totals[0].first, log.totals[0].replans, log.meanOf(0)], [900, 0, null]);
  assert.deepEqual(log.columns, [{ tick: 1, values: [900], fresh: [false] }]);
  log.add(2, [replan(5)]);
  assert.deepEqual([log.totals[0].first, log.meanOf(0)], [900, { expanded: 5, us: 10 }]);
  log.add(3, [replan(20, 10, 1, 100)]);
  assert.deepEqual(log.columns.at(-1), { tick: 3, values: [120], fresh: [true] }, "both searches count");
  assert.deepEqual([log.totals[0].expanded, log.totals[0].fresh], [125, 1]);
});

test("the axis ends above the highest value, and heights rise with values", () => {
  assert.deepEqual(axisMarks(0), [0, 1]);
  assert.deepEqual(axisMarks(10), [0, 1, 10]);
  assert.deepEqual(axisMarks(11), [0, 1, 10, 100]);
  assert.equal(heightOf(0, 100), 0);
  assert.equal(heightOf(100, 100), 1);
  const heights = [0, 1, 5, 50, 100].map((value) => heightOf(value, 100));
  assert.deepEqual(heights, [...heights].sort((a, b) => a - b));
});

test("walls are chosen by a seed: the same again, each cell once, never more than there are", () => {
  const cells = Array.from({ length: 30 }, (_, i) => i + 100);
  for (let seed = 1; seed < 50; seed++) {
    for (const count of [0, 1, 4, 40]) {
      const chosen = chooseSome(cells, count, seed);
      assert.equal(chosen.length, Math.min(count, cells.length));
      assert.equal(new Set(chosen).size, chosen.length);
      assert.ok(chosen.every((cell) => cells.includes(cell)));
      assert.deepEqual(chosen, chooseSome(cells, count, seed));
    }
  }
  const first = new Set(Array.from({ length: 50 }, (_, seed) => chooseSome(cells, 1, seed)[0]));
  assert.ok(first.size > 10, "other seeds, other cells");
});

test("one question at a time, and only the last of those that wait", () => {
  const sent = [];
  const question = new Question((number, content) => sent.push([number, content]));
  for (const content of ["a", "b", "c"]) question.ask(content);
  assert.deepEqual(sent, [[1, "a"]]);
  assert.equal(question.isSuperseded, true);
  assert.equal(question.answered(7), null, "an answer to nothing");
  assert.equal(question.answered(1), "a");
  assert.deepEqual(sent, [[1, "a"], [2, "c"]]);
  question.ask("d");
  question.giveUp();
  assert.deepEqual(sent.at(-1), [3, "d"]);
  assert.equal(question.answered(2), null);
  assert.equal(question.answered(3), "d");
  assert.equal(question.isSuperseded, false);
});

test("what a building would do, in words", () => {
  const pair = (before, after, cut = false) => ({ before, after, cut_off: cut });
  assert.deepEqual(verdict([pair(10, null, true)]), { state: "cut", words: "This blocks the only path" });
  assert.deepEqual(verdict([pair(10, 10), pair(4, null, true)]), { state: "cut", words: "This blocks one of the paths" });
  assert.deepEqual(verdict([pair(10, 10.0000001)]), { state: "free", words: "No path gets longer" });
  assert.deepEqual(verdict([pair(10, 11), pair(8, 12)]), { state: "longer", words: "+4.00 longer (50%)" });
  assert.equal(verdict([pair(null, null)]).state, "free");
});
