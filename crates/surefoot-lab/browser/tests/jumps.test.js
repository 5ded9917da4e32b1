// Searches that cross several cells at once: what the board shows of it.

import assert from "node:assert/strict";
import { sharingTest } from "./support/browser.js";
import { LEVEL, TERRAIN } from "./support/maps.js";

const FRAMES = 150;

sharingTest("jumps are drawn, and a switch hides them", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  const box = page.getByRole("checkbox", { name: "Jumps" });
  await lab.search();
  assert.equal(await box.isVisible(), false, "A* does not jump");
  await lab.set({ algorithm: "jps" });
  await lab.search();
  assert.ok(await box.isChecked(), "on by itself");
  const views = [() => lab.fit(), () => lab.camera.set(12, 7, 4), () => lab.camera.set(12, 7, 60)];
  for (const theme of ["light", "dark"]) {
    await lab.evaluate((theme) => lab.ui.set({ theme }), theme);
    for (const view of views) {
      await lab.evaluate(view);
      await box.check();
      await page.mouse.move(0, 0);
      const shown = await lab.picture();
      await box.uncheck();
      await page.mouse.move(0, 0);
      const hidden = await lab.picture();
      assert.notEqual(shown, hidden, `${theme}, ${view}`);
      await box.check();
      await page.mouse.move(0, 0);
      assert.equal(await lab.picture(), shown);
    }
  }
  await lab.evaluate(() => lab.ui.set({ aid: false }));
  const path = await lab.picture();
  await box.uncheck();
  await page.mouse.move(0, 0);
  assert.equal(await lab.picture(), path, "without search marks only the path is left");
});

sharingTest("the last expansion's jumps stand out", async ({ page, lab }) => {
  await lab.show(LEVEL.rows, LEVEL.places);
  await lab.set({ algorithm: "jps" });
  await lab.search();
  await page.mouse.move(0, 0);
  await lab.seek(1);
  // From the start, which is what step 1 closes, to the first node that it leads to.
  const [x, y] = await lab.evaluate(() => {
    const { timeline } = lab.runner.boards[0];
    const event = timeline.jumpAt[timeline.jumpsBefore(timeline.closeAt[0] + 1)];
    const place = lab.store.doc.world.place(timeline.node[event]);
    return [place[0] + 0.5, place[1] + 0.5];
  });
  const dark = await lab.evaluate(
    ({ x, y }) => {
      const { canvas } = lab.boards.views[0];
      const { camera } = lab;
      const ratio = canvas.width / canvas.getBoundingClientRect().width;
      const px = canvas.width / 2 + (x - camera.x) * camera.scale * ratio;
      const py = canvas.height / 2 + (y - camera.y) * camera.scale * ratio;
      const [r, g, b] = canvas.getContext("2d").getImageData(px, py, 1, 1).data;
      return r + g + b;
    },
    { x, y },
  );
  assert.ok(dark < 200, `a dark dot at ${x}, ${y}, found ${dark}`);
});

sharingTest("paths through links are no jumps", async ({ page, lab }) => {
  const links = [{ from: [4, 7], to: [14, 7], cost: 1, two_way: true }];
  await lab.show(TERRAIN.rows, { ...TERRAIN.places, links });
  await lab.search();
  assert.ok(await lab.evaluate(() => lab.runner.boards[0].timeline.jumps > 0), "the trace has a far parent");
  await page.mouse.move(0, 0);
  const shown = await lab.picture();
  await lab.evaluate(() => lab.ui.set({ jumps: false }));
  assert.equal(await lab.picture(), shown);
});

sharingTest("of a large tree of jumps a frame draws the lines that changed", async ({ page, lab }) => {
  await lab.set({ algorithm: "jps" });
  await lab.evaluate(() => lab.actions.generate("rooms", 512, 512, 1));
  await lab.settled();
  await lab.evaluate(() => {
    lab.actions.run();
    lab.player.pause();
  });
  await lab.until(() => lab.runner.boards[0].timing && lab.runner.boards[0].timeline?.jumps > 5000, "many jumps");
  await page.mouse.move(0, 0);
  await lab.seek(0);
  const { lines, jumps, average } = await lab.evaluate(async (frames) => {
    const { LineTiles } = await import("/js/board/line-tiles.js");
    const { line } = LineTiles.prototype;
    let lines = 0;
    LineTiles.prototype.line = function (...values) {
      lines++;
      return line.apply(this, values);
    };
    lab.boards.meter.reset();
    for (let frame = 1; frame <= frames; frame++) {
      lab.player.seek(Math.floor((frame / frames) * lab.player.length));
      await new Promise(requestAnimationFrame);
    }
    LineTiles.prototype.line = line;
    return { lines, jumps: lab.runner.boards[0].timeline.jumps, average: lab.boards.meter.average };
  }, FRAMES);
  console.log(`frame work with jumps: ${average.toFixed(2)} ms on average`);
  assert.ok(lines >= jumps / 2, `${lines} lines for ${jumps} jumps`);
  // An arc is several lines, and a node that is reached in a better way loses one and gets another.
  assert.ok(lines < 20 * jumps, `${lines} lines in ${FRAMES} frames for ${jumps} jumps`);
});
