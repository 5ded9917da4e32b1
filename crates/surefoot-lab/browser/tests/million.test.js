// A world of more than a million solid cells: what the card is asked to draw, counted at the card.

import assert from "node:assert/strict";
import { ask, listen } from "./support/card.js";
import { spaceTest } from "./support/space.js";

const SIZE = [160, 160, 80];
/** The sides of the world whose faces are shown: all but the lower one, which is solid. */
const SIDES = [true, true, true, true, true, false];

/** Hills: solid below a height that goes up and down. */
const heightAt = (x, y) => 44 + 14 * Math.sin(x / 11) + 12 * Math.cos(y / 17 + x / 40);

const indexOf = ([x, y, z]) => (z * SIZE[1] + y) * SIZE[0] + x;

function makeHills() {
  const solid = new Uint8Array(SIZE[0] * SIZE[1] * SIZE[2]);
  for (let y = 0; y < SIZE[1]; y++) {
    for (let x = 0; x < SIZE[0]; x++) for (let z = 0; z < heightAt(x, y); z++) solid[indexOf([x, y, z])] = 1;
  }
  return solid;
}

/** As a .3dmap has them. */
function writeMap(solid) {
  const lines = [`voxel ${SIZE.join(" ")}`];
  for (let cell = 0; cell < solid.length; cell++) {
    const row = Math.floor(cell / SIZE[0]);
    if (solid[cell]) lines.push(`${cell % SIZE[0]} ${row % SIZE[1]} ${Math.floor(row / SIZE[1])}`);
  }
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** For each direction (+x, -x, +y, ...), how many solid cells have an open one there, or the end of the world where that is shown. */
function countFaces(solid) {
  const counts = new Array(6).fill(0);
  const strides = [1, SIZE[0], SIZE[0] * SIZE[1]];
  for (let cell = 0; cell < solid.length; cell++) {
    if (!solid[cell]) continue;
    for (let direction = 0; direction < 6; direction++) {
      const axis = direction >> 1;
      const at = Math.floor(cell / strides[axis]) % SIZE[axis];
      const isLast = at === (direction & 1 ? 0 : SIZE[axis] - 1);
      const next = cell + (direction & 1 ? -strides[axis] : strides[axis]);
      if (isLast ? SIDES[direction] : !solid[next]) counts[direction]++;
    }
  }
  return counts;
}

spaceTest("a million solid cells: the surface alone is drawn, and an edit renews its own chunks alone", async ({ page, lab }) => {
  const solid = makeHills();
  const count = solid.reduce((sum, value) => sum + value, 0);
  assert.ok(count > 1_000_000, `${count} solid cells`);
  await lab.evaluate(listen);
  const chooser = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  await (await chooser).setFiles({ name: "hills.3dmap", mimeType: "text/plain", buffer: writeMap(solid) });
  await lab.heard(/Opened hills\.3dmap, 160 × 160 × 80/);
  await lab.rested();

  // From above in the south-west, all faces that look west, south and up are visible, and no others.
  const surface = countFaces(solid);
  const seen = (...directions) => surface.map((value, direction) => (directions.includes(direction) ? value : 0));
  assert.deepEqual(await ask(lab, "counts"), seen(1, 2, 4));
  const { faces, isBlank } = await lab.evaluate(async () => {
    const image = await createImageBitmap(await lab.boards.views[0].picture());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    const ground = pixels.filter((pixel) => pixel !== pixels[0]).length;
    return { faces: lab.boards.views[0].drawn.faces, isBlank: ground < pixels.length / 5 };
  });
  assert.ok(!isBlank, "the hills fill a good part of the picture");
  assert.ok(faces < seen(1, 2, 4).reduce((sum, value) => sum + value), "faces that look alike are joined");

  // The other way round, from farther away, drawn while the eye moves and when it rests.
  const moving = await lab.evaluate(async () => {
    const { camera } = lab.space;
    const [from, steps, before] = [camera.yaw, 10, card.frames];
    camera.set({ distance: 1.5 * camera.distance });
    for (let step = 1; step <= steps; step++) {
      camera.set({ yaw: from + (step * Math.PI) / steps });
      const { frames } = card;
      for (let wait = 0; wait < 100 && card.frames === frames; wait++) await new Promise(requestAnimationFrame);
    }
    return card.frames - before;
  });
  assert.ok(moving >= 10, `${moving} frames on the way`);
  assert.deepEqual(await ask(lab, "counts"), seen(0, 3, 4));
  const after = await lab.evaluate(async () => {
    const { frames } = card;
    for (let wait = 0; wait < 30; wait++) await new Promise(requestAnimationFrame);
    return card.frames - frames;
  });
  assert.equal(after, 0, "nothing is drawn while nothing changes");

  // A cell on the ground, in the middle of a chunk, then one between two chunks.
  for (const [x, y, chunks] of [[80, 80, 1], [96, 80, 2]]) {
    let z = 0;
    while (solid[indexOf([x, y, z])]) z++;
    assert.ok(z % 32 > 0 && z % 32 < 31, "in the middle of its chunk");
    const cell = indexOf([x, y, z]);
    await lab.evaluate((cell) => {
      card.uploads = [];
      lab.store.paint("one cell", [cell], 0);
    }, cell);
    await lab.settled();
    assert.equal(await ask(lab, "renewed"), chunks, `chunks around ${x}, ${y}, ${z}`);
    solid[cell] = 1;
    const changed = countFaces(solid);
    assert.notDeepEqual(changed, surface);
    assert.deepEqual(await ask(lab, "counts"), changed.map((value, direction) => ([0, 3, 4].includes(direction) ? value : 0)));
  }

  // Close to a corner most chunks are not in the picture.
  const all = await ask(lab, "calls");
  await lab.evaluate(() => lab.space.camera.set({ target: [10, 10, 50], distance: 20 }));
  const close = await ask(lab, "calls");
  assert.ok(close > 0 && close < all / 2, `${close} of ${all} draw calls`);
});
