// Recorded flights and forecasts on the page, with a server that only takes notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

globalThis.requestAnimationFrame ??= () => 0;
globalThis.matchMedia ??= () => ({ matches: false });
const { liveOver } = await import("./support/server.js");
const { Recording } = await load("core/recording.js");
const { MovingScene } = await load("core/scene.js");
const { Store } = await load("core/store.js");
const { VoxelWorld } = await load("core/voxels.js");

const SCENE = { surefoot: "scene", size: [6, 4, 3], goal: { position: [5, 1, 1] }, obstacles: [{ sphere: 1, position: [3, 2, 1] }] };
const POSITIONS = Array.from({ length: 1501 }, (_, i) => [1 + i / 1000, 0.5, 0.5]);
const BOARD = { algorithm: "astar", moves3: "26", radius: 0.4 };

/** A lab in which a record has just been opened. */
function opened() {
  const store = new Store({ world: new VoxelWorld([6, 4, 3]), links: [], start: [0, 0, 0], goals: [[5, 0, 0]], scene: null, boards: [BOARD] });
  const lab = liveOver(store);
  const scene = new MovingScene(SCENE);
  const flight = { planner: "sipp", seed: 0, run: 3, evade: true, holds_blocks: true, from: 30, tick: 730, cause: "c", hits: [{}], positions: POSITIONS };
  lab.live.recording = new Recording(flight, scene);
  store.change("open", { world: new VoxelWorld([6, 4, 3]), scene, boards: [{ ...BOARD }] });
  const answer = (tick, fields = {}) => {
    const at = POSITIONS[tick];
    const unit = { board: 0, at, cell: [1, 0, 0], state: "recorded", reason: null, message: null, travelled: 0, path: [], ahead: 0, replan: null };
    lab.connection.emit("message", { type: "ticked", live: lab.last("live").live, tick, target: [5, 0, 0], units: [{ ...unit, ...fields }], scene: { target: [5.5, 0.5, 0.5], changed: 0, us: 9 } });
  };
  const asked = () => lab.sent.slice(lab.sent.lastIndexOf(lab.last("live"))).filter(({ type }) => type === "tick").map(({ ticks }) => ticks);
  return { ...lab, scene, answer, asked };
}

test("a record is opened at its tick, paused, and flown from its beginning until there", () => {
  const { live, last, asked, answer } = opened();
  assert.ok(live.active && !live.playing && live.replay);
  const { from, recorded, boards } = last("live");
  assert.deepEqual([from, recorded.holds_blocks, recorded.positions.length, boards.length], [30, true, 1501, 1]);
  assert.deepEqual(asked(), [100, 600], "in pieces that the server accepts");
  answer(100);
  answer(700, { hits: { static: 0, moving: 1, appeared: 0, new: [{ tick: 700, kind: "moving", obstacle: 0, at: [1.7, 0.5, 0.5] }] } });
  assert.equal(live.tick, 730);
  assert.deepEqual([live.hits.countOf(0), live.hits.lists[0][0].tick], [1, 730]);
  assert.deepEqual(live.units[0].at, POSITIONS[700]);
});

test("other ticks are shown, and what was counted is counted anew", () => {
  const { live, asked, answer } = opened();
  answer(700, { hits: { static: 0, moving: 1, appeared: 0, new: [] } });
  live.seek(40);
  assert.deepEqual(asked(), [10]);
  answer(10, { hits: { static: 0, moving: 0, appeared: 0, new: [] } });
  assert.deepEqual([live.tick, live.hits.countOf(0)], [40, 0]);
  live.seek(9999);
  assert.deepEqual(asked(), [300, 600, 600]);
  live.restart();
  assert.deepEqual(asked(), [0], "from the beginning");
});

test("at its end nothing more is asked for", () => {
  const { live, answer, asked } = opened();
  live.seek(1530);
  for (const tick of [300, 900, 1500]) answer(tick, { state: tick === 1500 ? "ended" : "recorded" });
  live.play();
  live.frame(performance.now() + 10_000);
  assert.deepEqual(asked(), [300, 600, 600]);
});

test("the unit of a record cannot be moved, but another planner can fly from where it begins", () => {
  const { live, last, store, answer } = opened();
  const refused = [];
  live.on("refused", (text) => refused.push(text));
  live.place({ unit: [2, 2, 2] });
  assert.match(refused[0], /cannot be moved/);
  assert.equal(last("place"), undefined);
  answer(100);
  store.change("settings", { boards: [{ ...BOARD, algorithm: "d_star_lite" }] });
  assert.equal(live.replay, null, "a board with other settings is none of the record");
  const { from, recorded, boards } = last("live");
  assert.deepEqual([from, recorded, boards[0].query.algorithm], [30, undefined, "d_star_lite"]);
  live.restart();
  assert.equal(last("live").from, 30);
});

test("undo takes a record away, redo brings it back at its tick", () => {
  const { live, store, last, asked } = opened();
  store.undo();
  assert.equal(live.replay, null);
  store.redo();
  assert.ok(live.replay && !live.playing);
  assert.deepEqual([last("live").from, asked()], [30, [100, 600]]);
});

test("forecasts are asked for, and kept only for the time that was asked for", () => {
  const { live, last, connection, answer } = opened();
  answer(100);
  live.set({ ahead: 0.3 });
  assert.equal(last("adjust").forecast, 0.3);
  const tell = (seconds) => connection.emit("forecast", { live: last("live").live, seconds, cells: Uint32Array.of(4) });
  tell(0.2);
  assert.equal(live.flight.forecast, null, "it was about another time");
  tell(0.3);
  assert.deepEqual([...live.flight.forecast], [4]);
  live.set({ ahead: 0 });
  assert.deepEqual([last("adjust").forecast, live.flight.forecast], [0, null]);
  live.set({ ahead: 0.5 });
  live.restart();
  assert.equal(last("live").forecast, 0.5, "a new flight has it from the beginning");
});

test("what changes before the server has units is told with them", () => {
  const { live, last, sent } = opened();
  live.stop();
  const end = live.on("state", () => (end(), live.set({ ahead: 0.4 })));
  const before = sent.length;
  live.start();
  assert.ok(sent.slice(before).every(({ type }) => type !== "adjust"));
  assert.equal(last("live").forecast, 0.4);
});
