// Painting with a mouse and with fingers.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { Touch } from "./support/touch.js";

const EMPTY = Array(12).fill(".".repeat(20));
const PLACES = { start: [1, 6], goals: [[18, 6]] };

sharingTest("the left button paints, the right one erases", async ({ lab }) => {
  await lab.show(EMPTY, PLACES);
  const before = await lab.picture();
  await lab.drag([[10, 2], [10, 9]]);
  for (let y = 2; y <= 9; y++) assert.equal(await lab.cost([10, y]), 0, `cell 10, ${y}`);
  assert.equal(await lab.cost([11, 5]), 1);
  await lab.page.mouse.move(0, 0);
  const painted = await lab.picture();
  assert.notEqual(painted, before);
  await lab.settled();
  assert.ok((await lab.result()).path.every(([x, y]) => x !== 10 || y < 2 || y > 9), "the path goes around");
  await lab.drag([[10, 2], [10, 9]], { button: "right" });
  assert.equal(await lab.cost([10, 5]), 1);
  await lab.page.mouse.move(0, 0);
  await lab.settled();
  assert.equal(await lab.picture(), before, "the same map is the same picture");
});

sharingTest("a fast stroke has no gaps", async ({ page, lab }) => {
  await lab.show(EMPTY, { start: [10, 0], goals: [[10, 11]] });
  await lab.set({ moves: "8-free" });
  const [from, to] = [await lab.point([0, 2]), await lab.point([19, 10])];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to);
  await page.mouse.up();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "unreachable", "one stroke from side to side parts the map");
});

sharingTest("terrain, cost, size and shapes", async ({ page, lab }) => {
  await lab.show(EMPTY, PLACES);
  const brush = page.getByRole("region", { name: "Brush" });
  await brush.getByRole("button", { name: /^Grass/ }).click();
  await lab.drag([[3, 1], [3, 1]]);
  assert.equal(await lab.cost([3, 1]), 4);
  await brush.getByRole("button", { name: /^Water/ }).click();
  await lab.drag([[4, 1], [4, 1]]);
  assert.equal(await lab.cost([4, 1]), 10);
  await brush.getByRole("spinbutton", { name: "Cost" }).fill("37");
  await brush.getByRole("spinbutton", { name: "Cost" }).press("Tab");
  await brush.getByRole("spinbutton", { name: "Size" }).fill("3");
  await brush.getByRole("spinbutton", { name: "Size" }).press("Tab");
  await lab.drag([[8, 3], [8, 3]]);
  for (const cell of [[7, 2], [9, 4], [8, 3]]) assert.equal(await lab.cost(cell), 37, `${cell}`);
  assert.equal(await lab.cost([10, 3]), 1);

  await brush.getByRole("spinbutton", { name: "Size" }).fill("1");
  await brush.getByRole("spinbutton", { name: "Size" }).press("Tab");
  await brush.getByRole("button", { name: /^Wall/ }).click();
  await brush.getByRole("button", { name: /^Rectangle/ }).click();
  await lab.drag([[12, 2], [16, 4]]);
  for (const cell of [[12, 2], [16, 4], [14, 3]]) assert.equal(await lab.cost(cell), 0, `${cell}`);
  await brush.getByRole("button", { name: /^Line/ }).click();
  await lab.drag([[2, 10], [17, 10]]);
  for (let x = 2; x <= 17; x++) assert.equal(await lab.cost([x, 10]), 0);
  await brush.getByRole("button", { name: /^Grass/ }).click();
  await brush.getByRole("button", { name: /^Fill/ }).click();
  await lab.drag([[14, 3], [14, 3]]);
  for (const cell of [[12, 2], [16, 4], [14, 3]]) assert.equal(await lab.cost(cell), 4, `${cell}`);
  assert.equal(await lab.cost([11, 3]), 1, "the fill stays in its region");
  assert.equal(await lab.cost([10, 10]), 0);
});

sharingTest("the wheel zooms at the pointer, the middle button pans, neither paints", async ({ page, lab }) => {
  await lab.show(EMPTY, PLACES);
  const { cost } = await lab.document();
  const still = () => lab.still(() => ({ x: lab.camera.x, y: lab.camera.y, scale: lab.camera.scale }));
  const first = await still();
  const point = await lab.point([15, 3]);
  await page.mouse.move(...point);
  await page.mouse.wheel(0, -300);
  await lab.until((scale) => lab.camera.scale > scale, "a larger scale", first.scale);
  await still();
  const after = await lab.point([15, 3]);
  assert.ok(
    Math.hypot(after[0] - point[0], after[1] - point[1]) < 2,
    "what is under the pointer stays there",
  );
  const zoomed = await still();
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(point[0] - 60, point[1] + 40, { steps: 3 });
  await page.mouse.up({ button: "middle" });
  const panned = await still();
  assert.ok(Math.abs((panned.x - zoomed.x) * zoomed.scale - 60) < 2);
  assert.ok(Math.abs((panned.y - zoomed.y) * zoomed.scale + 40) < 2);
  await page.keyboard.down("Space");
  await page.mouse.down();
  await page.mouse.move(point[0], point[1], { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Space");
  const back = await still();
  assert.ok(Math.abs(back.x - zoomed.x) * zoomed.scale < 2, "space and the left button pan too");
  assert.deepEqual((await lab.document()).cost, cost);
});

labTest(
  "one finger paints, two fingers move and zoom without painting",
  { hasTouch: true },
  async ({ page, lab }) => {
    await lab.show(EMPTY, PLACES);
    const touch = await Touch.on(page);
    const from = await lab.point([5, 2]);
    const to = await lab.point([5, 9]);
    await touch.drag([from], [to]);
    await lab.settled();
    for (let y = 2; y <= 9; y++) assert.equal(await lab.cost([5, y]), 0, `cell 5, ${y}`);
    const { cost } = await lab.document();
    const scale = await lab.evaluate(() => lab.camera.scale);
    const x = await lab.evaluate(() => lab.camera.x);
    const [left, right] = [await lab.point([9, 4]), await lab.point([13, 4])];
    await touch.drag(
      [left, right],
      [
        [left[0] - 90, left[1]],
        [right[0] + 30, right[1]],
      ],
    );
    await lab.drawn();
    assert.ok((await lab.evaluate(() => lab.camera.scale)) > 1.2 * scale, "fingers apart zoom in");
    assert.notEqual(await lab.evaluate(() => lab.camera.x), x);
    assert.deepEqual((await lab.document()).cost, cost, "nothing was painted");
  },
);

labTest(
  "a finger drags the goal",
  { hasTouch: true, viewport: { width: 390, height: 844 } },
  async ({ page, lab }) => {
    await lab.show(EMPTY, PLACES);
    const touch = await Touch.on(page);
    await touch.drag([await lab.point([18, 6])], [await lab.point([12, 2])]);
    await lab.settled();
    const { goals, cost } = await lab.document();
    assert.deepEqual(goals, [[12, 2]]);
    assert.ok(cost.every((value) => value === 1));
  },
);
