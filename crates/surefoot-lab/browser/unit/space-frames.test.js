// When scenes are drawn, and how well: with a card that takes as long as it is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { Frames } = await load("space/frames.js");

/** A card that draws frames of so many pieces, each of which takes `milliseconds` when sharp. Time passes by `tick` only. */
class Scene {
  now = 0;
  dirty = true;
  world = {};
  /** What frames were begun with, and what became of them. */
  begun = [];
  shown = [];
  camera = { target: [0, 0, 0], distance: 1, yaw: 0, pitch: 0 };

  constructor({ milliseconds, pieces = 1 }) {
    const scene = this;
    let busyUntil = 0;
    const renderer = {
      *render(camera, size, shown, { isFine, halvings } = { isFine: true, halvings: 0 }) {
        const detail = (isFine ? 0 : 1) + halvings;
        scene.begun.push(detail);
        for (let piece = 1; piece <= pieces; piece++) {
          assert.ok(scene.now >= busyUntil, "the card is not asked while it is busy");
          busyUntil = scene.now + milliseconds / pieces / 4 ** detail;
          if (piece < pieces) yield;
        }
        scene.shown.push(detail);
        return { faces: 1, complete: true };
      },
      fence() {
        const until = busyUntil;
        return () => scene.now >= until;
      },
    };
    this.frames = new Frames(renderer, this.camera);
  }

  /** Frames of the screen pass. */
  tick(count = 1, each = () => {}) {
    for (let i = 0; i < count; i++) {
      this.now += 16;
      globalThis.performance.now = () => this.now;
      each();
      if (!this.dirty && this.frames.isAtRest(this.now)) continue;
      this.frames.next(this.now, this.dirty, {}, () => {
        this.dirty = false;
        return { world: this.world };
      });
    }
  }

  turn(count) {
    this.tick(count, () => {
      this.camera.yaw += 0.1;
      this.dirty = true;
    });
  }
}

/** Runs a test with a clock that is set by hand. */
function clockTest(name, body) {
  test(name, () => {
    const { now } = performance;
    try {
      body();
    } finally {
      performance.now = now;
    }
  });
}

clockTest("what is quick is drawn sharp, and once", () => {
  const scene = new Scene({ milliseconds: 5 });
  scene.tick(50);
  assert.deepEqual(scene.shown, [0]);
  scene.turn(10);
  scene.tick(50);
  assert.deepEqual(scene.shown, new Array(11).fill(0));
});

clockTest("what is slow is coarse while the eye moves, and sharp at rest", () => {
  const scene = new Scene({ milliseconds: 1000 });
  scene.tick(100);
  assert.deepEqual(scene.shown, [0], "the first one is sharp");
  scene.turn(40);
  scene.tick(200);
  const moving = scene.shown.slice(1, -1);
  assert.ok(moving.length >= 10, `${moving.length} frames`);
  assert.deepEqual([...new Set(moving)], [2]);
  assert.equal(scene.shown.at(-1), 0);
  const { length } = scene.begun;
  scene.tick(200);
  assert.equal(scene.begun.length, length, "nothing is drawn while nothing changes");
});

clockTest("a frame in pieces is finished while the eye moves, unless it only makes things sharp", () => {
  const quick = new Scene({ milliseconds: 60, pieces: 4 });
  quick.turn(60);
  assert.ok(quick.shown.length >= 10, `${quick.shown.length} of ${quick.begun.length} frames`);
  const slow = new Scene({ milliseconds: 2000, pieces: 20 });
  slow.tick(300);
  slow.turn(20);
  slow.tick(40);
  assert.deepEqual([slow.begun.at(-1), slow.shown.at(-1) > 0], [0, true], "it is being sharpened");
  slow.turn(20);
  slow.tick(400);
  assert.equal(slow.shown.filter((detail) => detail === 0).length, 2, "the second of three sharp frames was given up");
  assert.equal(slow.begun.filter((detail) => detail === 0).length, 3);
});

clockTest("another world begins sharp", () => {
  const scene = new Scene({ milliseconds: 1000 });
  scene.tick(100);
  scene.turn(20);
  scene.world = {};
  scene.turn(1);
  scene.tick(100);
  assert.ok(scene.begun.slice(1).includes(0));
});
