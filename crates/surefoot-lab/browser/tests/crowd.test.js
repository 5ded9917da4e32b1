// Crowds that walk while the map changes under them.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";

const OPEN = Array(14).fill(".".repeat(24));
const PLACES = { start: [0, 0], goals: [[23, 13]] };

/** Turns crowd mode on and lets units walk fast. */
async function gather(lab, { rate = 10 } = {}) {
  await lab.evaluate((rate) => lab.crowd.set({ rate }), rate);
  await lab.button("Crowd").click();
  await lab.until(() => lab.crowd.active && lab.crowd.figures, "the first answer");
  if (!(await lab.evaluate(() => lab.crowd.playing))) await lab.button("Play").click();
  await lab.drawn();
}

const arrived = (lab) =>
  lab.until(() => lab.crowd.count > 0 && lab.crowd.figures?.arrived === lab.crowd.count && lab.crowd.units.count === lab.crowd.count, "all units at their places");

/** Waits until an element shows a text. */
const shows = (locator, text) => locator.filter({ hasText: text }).waitFor();

/** Units as plain values. */
const unitsOf = (lab) =>
  lab.evaluate(() => {
    const { units } = lab.crowd;
    return Array.from({ length: units.count }, (_, i) => ({
      x: units.x(i), y: units.y(i), radius: units.radius(i), group: units.group(i), state: units.state(i), number: units.number(i),
    }));
  });

const click = async (lab, cell, button) => lab.page.mouse.click(...(await lab.point(cell)), { button });

sharingTest("a group is placed by dragging, sent with the right button, and arrives without overlaps", async ({ page, lab }) => {
  await lab.show(OPEN, PLACES);
  const before = await lab.document();
  await gather(lab);
  await shows(page.locator(".live-status:visible"), /place units/);
  await lab.drag([[2, 2], [2, 11]], { button: "middle" });
  const count = await lab.evaluate(() => lab.crowd.count);
  assert.ok(count >= 6, `${count} units`);
  await click(lab, [20, 7], "right");
  await lab.heard(/Group 1 goes to 20, 7/);
  await arrived(lab);
  await lab.heard(/All \d+ units have arrived/);
  const units = await unitsOf(lab);
  assert.ok(units.every(({ x }) => x > 15), JSON.stringify(units));
  units.forEach((a, i) => units.slice(i + 1).forEach((b) => {
    const gap = Math.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius;
    assert.ok(gap > -0.02, `${JSON.stringify([a, b])} overlap`);
  }));
  assert.deepEqual(await lab.document(), before, "the document does not notice");
  await shows(page.locator("#crowd .crowd-figures"), new RegExp(`Arrived\\s*${count}`));
  await lab.button("Crowd").click();
  await lab.settled();
  assert.equal((await lab.result()).outcome, "found", "searches again");
  assert.equal(await lab.evaluate(() => lab.ui.tool), "brush");
});

sharingTest("a wall painted in their way is walked around", async ({ page, lab }) => {
  await lab.show(OPEN, PLACES);
  await gather(lab);
  await lab.button("Pause").click();
  await lab.drag([[2, 4], [2, 9]]);
  await click(lab, [21, 7], "right");
  await page.getByRole("button", { name: /^Wall/ }).click();
  await lab.drag([[12, 0], [12, 12]]);
  assert.equal(await lab.cost([12, 6]), 0);
  await lab.button("Play").click();
  // Nobody is ever seen in the wall.
  await lab.evaluate(() => {
    globalThis.seenInWall = 0;
    lab.crowd.on("told", () => {
      const { units } = lab.crowd;
      const { world } = lab.store.doc;
      for (let i = 0; i < units.count; i++) {
        const cell = world.indexOf([Math.floor(units.x(i)), Math.floor(units.y(i))]);
        if (!world.isOpen(cell)) seenInWall++;
      }
    });
  });
  await arrived(lab);
  assert.equal(await lab.evaluate(() => seenInWall), 0);
  assert.ok((await unitsOf(lab)).every(({ x }) => x > 13));
  await lab.button("Undo").click();
  assert.equal(await lab.cost([12, 6]), 1, "the wall is one entry of the history");
});

sharingTest("a click on a unit shows what it does; the slider fills and empties the map", async ({ page, lab }) => {
  await lab.show(OPEN, PLACES);
  await gather(lab, { rate: 0.1 });
  await lab.button("Pause").click();
  await click(lab, [4, 4], "left");
  await lab.until(() => lab.crowd.units.count === 1, "a unit");
  await click(lab, [20, 4], "right");
  await click(lab, [4, 4], "left");
  await lab.until(() => lab.crowd.unit !== null, "the unit in detail");
  await lab.button("One tick").click();
  await lab.until(() => lab.crowd.unit?.path.length > 0, "its path");
  await lab.drawn();
  const facts = page.getByRole("region", { name: "Unit", exact: true });
  await shows(facts, /Unit 0 of group 1[^]*Walking[^]*20, 4/);
  assert.equal(await lab.evaluate(() => lab.crowd.count), 1, "a click on a unit places none");
  const count = page.getByRole("spinbutton", { name: "Units" });
  await count.fill("50");
  await lab.until(() => lab.crowd.units.count === 50, "fifty units");
  await count.fill("0");
  await lab.until(() => lab.crowd.units.count === 0 && lab.crowd.figures.units === 0, "no units");
  await shows(facts, /Click on a unit/);
});

labTest("a crowd of the gallery leaves its hall", async ({ page, lab }) => {
  await lab.evaluate(() => lab.crowd.set({ rate: 10 }));
  await lab.evaluate(() => lab.actions.gallery("evacuation"));
  await lab.until(() => lab.crowd.active && lab.crowd.units.count === 300, "the crowd");
  await lab.until(() => {
    const { units } = lab.crowd;
    let outside = 0;
    for (let i = 0; i < units.count; i++) if (units.x(i) > 34) outside++;
    return outside > 20;
  }, "some of them outside");
  await shows(page.locator("#crowd .crowd-figures"), /Units\s*300/);
  assert.ok(await lab.evaluate(() => lab.crowd.frames.figuresOf(0).ticks > 0));
  await lab.evaluate(() => lab.actions.gallery("maze"));
  await lab.until(() => lab.crowd.active && lab.crowd.count === 0 && lab.crowd.figures, "another map without units");
  await lab.button("Live").click();
  await lab.until(() => lab.live.active && !lab.crowd.active, "live mode in its place");
});
