// What units touched, what their ticks took, and recorded flights.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { FrameTimes, MOST_FRAMES } = await load("core/frame-times.js");
const { HitLog, hitSums, hitWords } = await load("core/hits.js");
const { Recording } = await load("core/recording.js");
const { readForecast } = await load("core/binary.js");

const hit = (tick, kind = "moving", obstacle = 0) => ({ tick, kind, obstacle, at: [tick, 1, 1] });

test("contacts are counted by kind, also after the server began again", () => {
  const log = new HitLog();
  log.clear(2);
  assert.equal(hitSums(log.totals[0]), "no hits");
  assert.deepEqual(log.take(0, { static: 0, moving: 1, appeared: 0, new: [hit(5)] }, 100), [hit(105, "moving")].map((each) => ({ ...each, at: [5, 1, 1] })));
  log.take(1, { static: 2, moving: 0, appeared: 0, new: [hit(6, "static", null), hit(7, "static", null)] }, 100);
  assert.deepEqual(log.totals, [{ static: 0, moving: 1, appeared: 0 }, { static: 2, moving: 0, appeared: 0 }]);
  log.beginAgain();
  const list = log.lists[0];
  log.take(0, { static: 0, moving: 0, appeared: 0, new: [] }, 200);
  assert.equal(log.lists[0], list, "the same list while nothing is new");
  log.take(0, { static: 1, moving: 2, appeared: 3, new: [hit(1, "appeared", 1)] }, 200);
  assert.deepEqual(log.totals[0], { static: 1, moving: 3, appeared: 3 });
  assert.deepEqual(log.lists[0].map(({ tick }) => tick), [105, 201]);
  assert.deepEqual([log.countOf(0), log.countOf(1), log.countOf(7)], [7, 2, 0]);
  assert.equal(hitSums(log.totals[0]), "7 hits (1 static, 3 moving, 3 appeared)");
  log.clear(1);
  assert.deepEqual([log.countOf(0), log.lists], [0, [[]]]);
});

test("hits are named", () => {
  const scene = { obstacles: [{ name: "bus" }, { name: "" }] };
  assert.equal(hitWords(hit(1), scene), "moving obstacle 1, “bus”");
  assert.equal(hitWords(hit(1, "appeared", 1), scene), "appearing obstacle 2");
  assert.equal(hitWords(hit(1, "static", null), scene), "a solid cell");
  assert.equal(hitSums({ static: 0, moving: 0, appeared: 1 }), "1 hit (1 appeared)");
});

test("the chart of frame times has the last ticks, each board its own", () => {
  const times = new FrameTimes();
  times.clear(2);
  assert.equal(times.figuresOf(0), null);
  assert.equal(times.top, 20);
  times.take(0, Array.from({ length: 300 }, (_, tick) => [30, tick < 299 ? 50 : 17_000, 10]));
  times.take(1, [[30, 400, 20]]);
  assert.equal(times.boards[0].length, MOST_FRAMES);
  const { mean, most, above, ticks } = times.figuresOf(0);
  assert.deepEqual([mean[0], mean[2], most, above, ticks], [30, 10, 17_040, 1, MOST_FRAMES]);
  assert.deepEqual(times.figuresOf(1), { mean: [30, 400, 20], most: 450, above: 0, ticks: 1 });
  assert.equal(times.top, 100, "a few long ticks do not hide the others");
  times.clear(1);
  assert.deepEqual([times.boards, times.figuresOf(1)], [[[]], null]);
});

test("the axis ends at 1, 2 or 5 times a power of ten, above nearly all ticks", () => {
  for (const [longest, top] of [[5, 20], [20, 20], [21, 50], [99, 100], [100, 100], [101, 200], [4_100, 5_000], [16_001, 20_000]]) {
    const times = new FrameTimes();
    times.clear(1);
    times.take(0, Array.from({ length: 60 }, () => [longest, 0, 0]));
    assert.equal(times.top, top, `${longest}`);
  }
});

test("a recorded flight knows its ticks, and its line has both ends", () => {
  const positions = Array.from({ length: 9001 }, (_, i) => [i, 0, 0]);
  const scene = {};
  const record = new Recording({ planner: "sipp", holds_blocks: true, from: 30, tick: 40, positions }, scene);
  assert.deepEqual([record.last, record.within(7), record.within(99999), record.within(31)], [9030, 30, 9030, 31]);
  assert.ok(record.line.length <= 4001 && record.line.length > 2000);
  assert.deepEqual([record.line[0], record.line.at(-1)], [[0, 0, 0], [9000, 0, 0]]);
  assert.deepEqual(record.request, { positions, holds_blocks: true });
});

test("forecast cells are read", () => {
  const bytes = Uint8Array.of(7, 0, 44, 1, 9, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 1, 0, 0);
  const { live, seconds, cells } = readForecast(new DataView(bytes.buffer));
  assert.deepEqual([live, seconds, [...cells]], [9, 0.3, [5, 256]]);
});
