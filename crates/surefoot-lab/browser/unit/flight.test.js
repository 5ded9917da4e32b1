// Flying in voxel worlds, with a server that only takes notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

globalThis.requestAnimationFrame ??= () => 0;
globalThis.matchMedia ??= () => ({ matches: false });
/** A clock that only tests move. */
let now = 1000;
performance.now = () => now;
const { liveOver } = await import("./support/server.js");
const { stateWords } = await load("core/live-unit.js");
const { MovingScene } = await load("core/scene.js");
const { Store } = await load("core/store.js");
const { VoxelWorld } = await load("core/voxels.js");
const { GridWorld } = await load("core/world.js");

const SCENE = {
  surefoot: "scene",
  size: [6, 4, 3],
  cell_size: 2,
  agent: { radius: 0.5, speed: 8 },
  goal: { position: [11, 1, 1], patrol: {} },
  obstacles: [{ sphere: 2, position: [5, 5, 3] }],
};
const FIELDS = { links: [], start: [0, 0, 0], goals: [[5, 0, 0]] };
const spaceDoc = (scene) => ({ world: new VoxelWorld([6, 4, 3]), ...FIELDS, scene: scene && new MovingScene(scene) });

function newLab(scene = SCENE) {
  const store = new Store({ ...spaceDoc(scene), boards: [{ algorithm: "astar", moves3: "26", radius: 0 }] });
  const lab = liveOver(store);
  const { connection, last } = lab;
  const answer = (at, { tick = 1, target = [10.5, 1.5, 0.5], changes = [], x = 2, ...fields } = {}) => {
    const poses = Float32Array.of(x, 2.5, 1.5, 0, 0, 0, 1, 1);
    connection.emit("obstacles", { live: last("live").live, poses, changes: Uint32Array.from(changes) });
    const cell = at.map(Math.floor);
    const unit = { board: 0, at, cell, state: "walking", reason: null, message: null, travelled: 0, path: null, ahead: 0, replan: null };
    const scene = { target, changed: changes.length, us: 20 };
    const units = [{ ...unit, ...fields }];
    connection.emit("message", { type: "ticked", live: last("live").live, tick, target: target.map(Math.floor), units, scene });
  };
  return { ...lab, answer };
}

test("a scene that comes into the document begins to move", () => {
  const { store, live, last, answer } = newLab(null);
  assert.equal(live.active, false);
  store.change("open", spaceDoc(SCENE));
  assert.ok(live.active && live.playing);
  const { scene, from, speed, target, boards } = last("live");
  assert.deepEqual([scene, from, speed, target.kind], [SCENE, 0, 4, "scene"]);
  assert.deepEqual([boards[0].query.start, boards[0].at], [[0, 0, 0], [0.5, 0.5, 0.5]]);
  answer([0.7, 0.5, 0.5]);
  assert.equal(stateWords(live.units[0]), "flying");
  assert.deepEqual(live.target, [10, 1, 0]);
  store.change("map", { world: new GridWorld(4, 4), start: [0, 0], goals: [[3, 3]], scene: null });
  assert.equal(live.active, false, "and ends with it");
});

test("things are seen between the last two answers", () => {
  const { live, answer } = newLab();
  live.start({ playing: true });
  answer([1, 0.5, 0.5]);
  now += 1000;
  answer([1.5, 0.5, 0.5], { tick: 2, x: 2 });
  now += 200;
  answer([1.5, 0.5, 0.5], { tick: 2, x: 2 });
  now += 200;
  answer([2.5, 0.5, 0.5], { tick: 8, x: 3, target: [12.5, 1.5, 0.5] });
  now += 100;
  const { flight, movement } = live;
  assert.equal(movement.share(now), 0.5, "this answer took as long as the last one");
  assert.deepEqual(flight.placeOf(live.units[0], now), [2, 0.5, 0.5]);
  assert.deepEqual(flight.targetPlace(live.target, now), [11.5, 1.5, 0.5]);
  assert.equal(movement.poses(now)[0], 2.5);
  assert.deepEqual(flight.update, { ticks: 6, changed: 0, us: 20 });
});

test("the path ahead is what the server says is left of it", () => {
  const { live, answer } = newLab();
  live.start();
  const path = [[1, 0, 0], [2, 1, 0], [5, 1, 0]];
  answer([0.7, 0.5, 0.5], { path, ahead: 3 });
  assert.deepEqual(live.units[0].ahead, path);
  answer([3.3, 1.5, 0.5], { tick: 2, ahead: 1 });
  assert.deepEqual(live.units[0].ahead, [[5, 1, 0]], "at any angle cells between are not on it");
});

test("options begin anew where everything is", () => {
  const { live, answer, last } = newLab();
  live.start({ playing: false });
  answer([1.25, 0.5, 0.5], { tick: 7, changes: [2 * 9 + 1] });
  assert.equal(live.movement.count, 1);
  live.set({ guarded: false });
  const { from, boards, guarded } = last("live");
  assert.deepEqual([from, boards[0].at, guarded], [7, [1.25, 0.5, 0.5], false]);
  assert.equal(live.movement.count, 0, "the server tells all cells again");
  answer([1.3, 0.5, 0.5], { tick: 1, changes: [2 * 9 + 1, 2 * 10 + 1] });
  assert.deepEqual([live.tick, live.movement.count], [8, 2]);
});

test("a target that is put somewhere does not move by itself any more", () => {
  const { live, answer, last } = newLab();
  live.start();
  answer([1, 0.5, 0.5]);
  const { live: number } = last("live");
  live.place({ target: [3, 3, 2] });
  assert.deepEqual([last("place").target, live.targetKind, last("adjust").target.kind], [[3, 3, 2], "steer", "steer"]);
  assert.equal(last("live").live, number, "no unit begins again");
  assert.deepEqual(live.flight.targetPlace(live.target, now), [3.5, 3.5, 2.5]);
  live.set({ targetKind: "flee" });
  assert.equal(last("adjust").target.kind, "stay", "targets do not flee in space");
});

test("searches see obstacles where they have come to", () => {
  const { store, live, runner, answer, last, sent } = newLab();
  live.start();
  assert.equal(last("world").world.solid, "AAAAAAAAAAAA", "units receive the static cells");
  answer([1, 0.5, 0.5], { changes: [2 * 0 + 1, 2 * 9 + 1] });
  live.stop();
  runner.flush();
  assert.equal(last("world").world.solid, "AQIAAAAAAAAA");
  store.paint("wall", [1], 0);
  runner.flush();
  assert.deepEqual(last("edit").voxels, [[1, 0, 0, 1, 0]]);
  store.paint("floor", [1], 1);
  runner.flush();
  assert.deepEqual(last("edit").voxels, [[1, 0, 0, 1, 1]]);
  live.start();
  assert.equal(last("world").world.solid, "AAAAAAAAAAAA");
  assert.equal(sent.at(-1).type, "tick");
});

test("in a voxel world without a scene units fly, too", () => {
  const { live, last, answer, store } = newLab(null);
  live.start();
  assert.deepEqual([last("live").scene, last("live").speed, last("live").target.kind], [null, 6, "stay"]);
  store.paint("wall", [3], 0);
  answer([1, 0.5, 0.5], { changes: [2 * 3 + 1] });
  assert.deepEqual([live.movement.count, live.movement.covers(3), live.flight.hasObstacles], [0, false, false]);
});
