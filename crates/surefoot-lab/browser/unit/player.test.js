// The clock of the animation, with searches that are only lengths.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, OPEN, encoder } from "./support/events.js";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { Emitter } = await load("core/emitter.js");
const { Player } = await load("core/player.js");
const { Timeline } = await load("core/trace.js");
const { Ui } = await load("core/ui.js");

/** A search that opens and closes node after node. */
function straight(steps) {
  const timeline = new Timeline(Math.max(steps, 1));
  const events = Array.from({ length: steps }, (_, node) => [
    { action: OPEN, side: 0, node, parent: -1, g: 0, h: 0 },
    { action: CLOSE, side: 0, node, parent: -1, g: 0, h: 0 },
  ]).flat();
  timeline.append(encoder()(events), events.length);
  return timeline;
}

function newPlayer(...boards) {
  const runner = new Emitter();
  runner.boards = boards.map(({ steps, us }) => ({
    timeline: straight(steps),
    timing: us ? { median_us: us } : null,
    busy: false,
  }));
  const ui = new Ui();
  return { player: new Player(runner, ui), runner, ui };
}

/** Lets a second pass in frames. */
function pass(player, seconds, frames = 60) {
  const began = performance.now();
  for (let frame = 1; frame <= seconds * frames; frame++) player.tick(began + (1000 * frame) / frames);
}

test("it plays as fast as it says and stops at the end", () => {
  const { player } = newPlayer({ steps: 100 });
  player.set({ speed: 20 });
  player.play();
  pass(player, 2);
  assert.ok(Math.abs(player.position - 40) < 1, `at ${player.position} after two seconds`);
  player.play();
  pass(player, 4);
  assert.equal(player.position, 100);
  assert.equal(player.playing, false);
});

test("instant is one frame", () => {
  const { player } = newPlayer({ steps: 100_000 });
  player.set({ speed: Infinity });
  player.play();
  pass(player, 1 / 60);
  assert.equal(player.stepOf(0), 100_000);
});

test("playing at the end begins again", () => {
  const { player } = newPlayer({ steps: 10 });
  player.seek(10);
  player.play();
  assert.equal(player.position, 0);
  assert.equal(player.playing, true);
});

test("steps stay between the beginning and the end", () => {
  const { player } = newPlayer({ steps: 10 });
  player.stepBy(-3);
  assert.equal(player.position, 0);
  player.stepBy(7);
  player.stepBy(-2);
  assert.equal(player.stepOf(0), 5);
  player.stepBy(1000);
  assert.equal(player.stepOf(0), 10);
});

test("at its end it stays at the end of the next search; elsewhere it does not", () => {
  const { player, runner } = newPlayer({ steps: 10 });
  const searchAgain = (steps) => {
    runner.boards[0].timeline = straight(steps);
    runner.emit("done", 0);
  };
  player.followEnd();
  searchAgain(25);
  assert.equal(player.position, 25);
  player.seek(4);
  searchAgain(30);
  assert.equal(player.position, 4);
});

test("a breakpoint stops it on its step, and it goes on from there", () => {
  const { player, ui } = newPlayer({ steps: 500 }, { steps: 40 });
  ui.set({ breakpoints: [{ kind: "closed", node: 122 }, { kind: "closed", node: 300 }] });
  const hits = [];
  player.on("break", (hit) => hits.push(hit.step));
  player.set({ speed: 100_000 });
  player.play();
  pass(player, 1);
  assert.equal(player.stepOf(0), 123);
  assert.equal(player.playing, false);
  player.play();
  pass(player, 1);
  assert.equal(player.stepOf(0), 301);
  player.play();
  pass(player, 1);
  assert.equal(player.stepOf(0), 500);
  assert.deepEqual(hits, [123, 301]);
});

test("boards locked by expansions show the same step until they end", () => {
  const { player } = newPlayer({ steps: 10 }, { steps: 4 });
  for (let position = 0; position <= 10; position++) {
    player.seek(position);
    assert.equal(player.stepOf(0), position);
    assert.equal(player.stepOf(1), Math.min(position, 4));
  }
});

test("boards locked by time end when their time is over", () => {
  const { between } = random(800);
  for (let round = 0; round < 100; round++) {
    const boards = Array.from({ length: between(2, 4) }, () => ({
      steps: between(1, 300),
      us: between(1, 5000),
    }));
    const { player } = newPlayer(...boards);
    player.set({ lock: "time" });
    const slowest = Math.max(...boards.map(({ us }) => us));
    const before = boards.map(() => 0);
    for (let position = 0; position <= player.length; position++) {
      player.seek(position);
      boards.forEach(({ steps, us }, board) => {
        const step = player.stepOf(board);
        assert.ok(step >= before[board], "no board goes back");
        const over = position / player.length >= us / slowest;
        if (over && position === player.length) assert.equal(step, steps);
        else
          assert.ok(Math.abs(step - Math.min(1, (position / player.length) * (slowest / us)) * steps) <= 1);
        before[board] = step;
      });
    }
  }
});

test("boards locked by time wait for all measurements", () => {
  const { player } = newPlayer({ steps: 10, us: 5 }, { steps: 20 });
  player.set({ lock: "time" });
  assert.equal(player.byTime, false);
  player.seek(7);
  assert.deepEqual([player.stepOf(0), player.stepOf(1)], [7, 7]);
});
