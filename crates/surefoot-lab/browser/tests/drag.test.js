// The path follows what is dragged, while it is dragged.

import assert from "node:assert/strict";
import { sharingTest } from "./support/browser.js";

const ROWS = Array.from({ length: 15 }, (_, y) =>
  y === 7 ? `${".".repeat(12)}#####${".".repeat(8)}` : ".".repeat(25),
);

/** Waits until the shown path ends here, with the button still down. */
const pathEnds = (lab, end, place) =>
  lab.until(
    ({ end, place }) => {
      const { result, busy } = lab.runner.boards[0];
      return !busy && result?.outcome === "found" && `${result.path.at(end)}` === `${place}`;
    },
    `a path that ends at ${place}`,
    { end, place },
  );

sharingTest("the goal is dragged and the path follows before the button is released", async ({ page, lab }) => {
  await lab.show(ROWS, { start: [2, 7], goals: [[22, 7]] });
  const { mouse } = page;
  await mouse.move(...(await lab.point([22, 7])));
  await mouse.down();
  let last = await lab.picture();
  for (const place of [[20, 3], [14, 2], [8, 12]]) {
    await mouse.move(...(await lab.point(place)), { steps: 5 });
    await pathEnds(lab, -1, place);
    assert.deepEqual((await lab.document()).goals, [place]);
    const now = await lab.picture();
    assert.notEqual(now, last, "the picture follows");
    last = now;
  }
  await mouse.up();
  const { goals, cost } = await lab.document();
  assert.deepEqual(goals, [[8, 12]]);
  assert.equal(cost.filter((value) => value === 0).length, 5, "nothing was painted");
  await lab.button("Undo").click();
  assert.deepEqual((await lab.document()).goals, [[22, 7]], "one drag is one entry of the history");
});

sharingTest("the start is dragged, with a search on the board", async ({ page, lab }) => {
  await lab.show(ROWS, { start: [2, 7], goals: [[22, 7]] });
  await lab.search();
  const before = await lab.steps();
  const { mouse } = page;
  await mouse.move(...(await lab.point([2, 7])));
  await mouse.down();
  await mouse.move(...(await lab.point([20, 7])), { steps: 6 });
  await pathEnds(lab, 0, [20, 7]);
  assert.ok((await lab.steps()) < before, "the search is run again too");
  await mouse.up();
  assert.deepEqual((await lab.document()).start, [20, 7]);
});

sharingTest("several goals: the path goes to the nearest", async ({ page, lab }) => {
  await lab.show(ROWS, { start: [2, 2], goals: [[22, 2]] });
  await page.getByRole("region", { name: "Brush" }).getByRole("button", { name: /^Goal/ }).click();
  await page.keyboard.down("Shift");
  await page.mouse.click(...(await lab.point([8, 2])));
  await page.keyboard.up("Shift");
  await pathEnds(lab, -1, [8, 2]);
  assert.deepEqual((await lab.document()).goals, [[22, 2], [8, 2]]);
});

sharingTest("a long drag over a large map keeps up", async ({ page, lab }) => {
  await lab.evaluate(() => lab.actions.newMap(200, 120));
  await lab.settled();
  const { mouse } = page;
  const { goals } = await lab.document();
  await mouse.move(...(await lab.point(goals[0])));
  await mouse.down();
  for (let i = 1; i <= 40; i++) await mouse.move(...(await lab.point([160 - 3 * i, 10 + 2 * i])));
  await pathEnds(lab, -1, [40, 90]);
  await mouse.up();
});
