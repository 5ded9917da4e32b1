// The largest map plays smoothly. The figure is the page's own: time spent in its drawing code a frame.

import assert from "node:assert/strict";
import { labTest } from "./support/browser.js";

const MOST_MS = 8;
const SECONDS = 5;

labTest("1024 x 1024 Dijkstra plays with little work a frame", async ({ page, lab }) => {
  await lab.evaluate(() => {
    lab.actions.newMap(1024, 1024);
    lab.actions.setBoard(0, { algorithm: "dijkstra" });
    lab.actions.setStart([0, 0]);
    lab.actions.setGoals([[1023, 1023]]);
  });
  await lab.settled();
  await lab.evaluate(() => {
    lab.actions.run();
    lab.player.pause();
  });
  // Times are measured by running the search again and again: they would take turns with the drawing.
  await lab.until(
    () => lab.runner.boards[0].timing && lab.runner.boards[0].timeline?.steps > 1_000_000,
    "a million steps",
  );
  await page.mouse.move(0, 0);
  await lab.evaluate((seconds) => {
    lab.player.seek(0);
    lab.boards.meter.reset();
    lab.player.set({ speed: lab.player.length / seconds });
    lab.player.play();
  }, SECONDS);
  await lab.until(() => !lab.player.playing && lab.player.stepOf(0) > 1_000_000, "the end");
  const { average, worst, frames } = await lab.evaluate(() => {
    const { average, worst, frames } = lab.boards.meter;
    return { average, worst, frames };
  });
  console.log(
    `frame work: average ${average.toFixed(2)} ms, worst ${worst.toFixed(2)} ms over ${frames} frames`,
  );
  assert.ok(frames > 60, `only ${frames} frames`);
  assert.ok(average < MOST_MS, `${average} ms a frame on average`);
});
