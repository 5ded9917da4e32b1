// On the largest map a frame costs what has changed. How long that takes is printed: the page's own figure of its drawing code.

import assert from "node:assert/strict";
import { labTest } from "./support/browser.js";

/** Frames of the search's middle third, as when it plays for five seconds. */
const FRAMES = 100;
const SHARE = 1 / 300;

labTest("1024 x 1024 Dijkstra: a frame paints the cells that changed", async ({ page, lab }) => {
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
  await lab.seek(await lab.evaluate(() => Math.floor(lab.player.length / 3)));
  const { painted, whole, events, average, worst } = await lab.evaluate(
    async ({ frames, share }) => {
      const { CellRaster } = await import("/js/board/raster.js");
      const { paint, paintedAll } = CellRaster.prototype;
      let [painted, whole] = [0, 0];
      CellRaster.prototype.paint = function (...values) {
        painted++;
        return paint.apply(this, values);
      };
      CellRaster.prototype.paintedAll = function () {
        whole++;
        return paintedAll.call(this);
      };
      const { timeline } = lab.runner.boards[0];
      const { length, position } = lab.player;
      lab.boards.meter.reset();
      for (let frame = 1; frame <= frames; frame++) {
        lab.player.seek(position + Math.floor(frame * share * length));
        await new Promise(requestAnimationFrame);
      }
      Object.assign(CellRaster.prototype, { paint, paintedAll });
      const events = timeline.eventsAt(lab.player.stepOf(0)) - timeline.eventsAt(Math.floor(position));
      const { average, worst } = lab.boards.meter;
      return { painted, whole, events, average, worst };
    },
    { frames: FRAMES, share: SHARE },
  );
  console.log(`frame work: average ${average.toFixed(2)} ms, worst ${worst.toFixed(2)} ms`);
  assert.equal(whole, 0, "never the whole map");
  // Besides, the cell that is expanded stands out.
  assert.ok(painted > 100_000 && painted < 1.1 * events, `${painted} cells for ${events} events`);
});
