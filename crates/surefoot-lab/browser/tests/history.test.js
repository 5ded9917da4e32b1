// Undo and redo of every kind of edit.

import assert from "node:assert/strict";
import { sharingTest } from "./support/browser.js";
import { TERRAIN } from "./support/maps.js";

sharingTest("paint, drag, settings, boards and maps are undone and redone exactly", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const brush = page.getByRole("region", { name: "Brush" });
  const acts = {
    "paint a wall": () =>
      lab.drag([
        [5, 1],
        [5, 5],
      ]),
    "erase with the right button": () =>
      lab.drag(
        [
          [10, 2],
          [10, 6],
        ],
        { button: "right" },
      ),
    "drag the goal": () =>
      lab.drag([
        [21, 7],
        [19, 2],
        [22, 12],
      ]),
    "drag the start": () =>
      lab.drag([
        [2, 7],
        [4, 11],
      ]),
    "choose an algorithm": () =>
      page.getByRole("combobox", { name: "Algorithm" }).selectOption({ label: "Dijkstra" }),
    "choose a movement rule": () =>
      page.getByRole("combobox", { name: "Movement rule" }).selectOption({ index: 0 }),
    "add a board": () => lab.button("Add board").click(),
    "fill with water": async () => {
      await brush.getByRole("button", { name: /^Water/ }).click();
      await brush.getByRole("button", { name: /^Fill/ }).click();
      await lab.drag([[18, 2], [18, 2]]);
    },
    "place a link": async () => {
      await brush.getByRole("button", { name: /^Link/ }).click();
      await lab.drag([[1, 1], [8, 12]]);
    },
    "type a start": async () => {
      await page.getByRole("textbox", { name: "Start" }).fill("0, 0");
      await page.getByRole("textbox", { name: "Start" }).press("Enter");
    },
    "clear the walls": () => lab.button("Clear walls").click(),
    "a new map": async () => {
      await lab.button("New").click();
      await page.getByRole("dialog", { name: "New map" }).getByRole("button", { name: "10 × 10" }).click();
    },
  };
  const states = [await lab.document()];
  for (const [name, act] of Object.entries(acts)) {
    await act();
    await lab.settled();
    states.push(await lab.document());
    assert.notDeepEqual(states.at(-1), states.at(-2), name);
  }
  const names = Object.keys(acts);
  await page.getByRole("application").first().focus();
  for (let at = names.length - 1; at >= 0; at--) {
    await page.keyboard.press("Control+z");
    assert.deepEqual(await lab.document(), states[at], `undo: ${names[at]}`);
  }
  for (let at = 0; at < names.length; at++) {
    await page.keyboard.press(at % 2 === 0 ? "Control+y" : "Control+Shift+z");
    assert.deepEqual(await lab.document(), states[at + 1], `redo: ${names[at]}`);
  }
  assert.ok(await lab.button("Redo").isDisabled());
  for (let at = names.length - 1; at >= 0; at--) await lab.button("Undo").click();
  await lab.settled();
  assert.deepEqual(await lab.document(), states[0]);
  assert.equal((await lab.result()).outcome, "found", "the search follows the history");
});

sharingTest("the picture after undo is the picture before", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  await page.mouse.move(0, 0);
  await lab.settled();
  const before = await lab.picture();
  await lab.drag([[13, 0], [13, 13]]);
  await page.mouse.move(0, 0);
  await lab.settled();
  const painted = await lab.picture();
  assert.notEqual(painted, before);
  await lab.button("Undo").click();
  await page.mouse.move(0, 0);
  await lab.settled();
  assert.equal(await lab.picture(), before);
  await lab.button("Redo").click();
  await page.mouse.move(0, 0);
  await lab.settled();
  assert.equal(await lab.picture(), painted);
});

sharingTest("a maze in the middle of a stroke breaks nothing", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  const first = await lab.document();
  const { mouse } = page;
  await mouse.move(...(await lab.point([5, 1])));
  await mouse.down();
  await mouse.move(...(await lab.point([5, 4])), { steps: 3 });
  await page.keyboard.press("g");
  await lab.until(() => lab.store.doc.world.width === 23, "a maze");
  await mouse.move(...(await lab.point([3, 3])), { steps: 3 });
  await mouse.up();
  await lab.settled();
  while (!(await lab.button("Undo").isDisabled())) {
    await lab.button("Undo").click();
    if (JSON.stringify(await lab.document()) === JSON.stringify(first)) return;
  }
  assert.fail("the first map never came back");
});
