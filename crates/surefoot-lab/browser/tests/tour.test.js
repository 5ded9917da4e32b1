// The first minute.

import assert from "node:assert/strict";
import { labTest } from "./support/browser.js";
import { SMALL } from "./support/maps.js";

labTest("the tour is walked through, and the previous map comes back", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  const own = await lab.document();
  await lab.button("Tour").click();
  const card = page.getByRole("dialog", { name: "Tour" });
  const titles = [];
  for (let scene = 1; scene <= 5; scene++) {
    await card.getByText(`${scene} of 5`).waitFor();
    await lab.settled();
    titles.push(await card.getByRole("heading").innerText());
    assert.ok(await card.getByText("Try:").isVisible(), `scene ${scene} has something to try`);
    await lab.until(
      () => lab.runner.boards.every(({ timeline, result }) => timeline && result?.outcome === "found"),
      `searches of ${titles.at(-1)}`,
    );
    if (scene === 3) {
      await card.getByRole("button", { name: "Back" }).click();
      await card.getByText("2 of 5").waitFor();
      await card.getByRole("button", { name: "Next" }).click();
      await card.getByText("3 of 5").waitFor();
    }
    await card.getByRole("button", { name: scene < 5 ? "Next" : "Finish" }).click();
  }
  assert.equal(new Set(titles).size, 5);
  await card.waitFor({ state: "hidden" });
  await lab.settled();
  assert.deepEqual(await lab.document(), own);
});

labTest("what a scene says to try is noticed", async ({ page, lab }) => {
  await lab.button("Tour").click();
  const card = page.getByRole("dialog", { name: "Tour" });
  await card.getByText("1 of 5").waitFor();
  await lab.settled();
  assert.equal(await card.getByText("Done.").count(), 0);
  const { goals } = await lab.document();
  const free = await lab.evaluate(() => {
    const { world, start, goals } = lab.store.doc;
    const taken = [start, ...goals].map((place) => world.indexOf(place));
    const nodes = lab.runner.boards[0].result.path.map((place) => world.indexOf(place));
    return world.place(nodes.findLast((node) => !taken.includes(node)));
  });
  await lab.drag([goals[0], free]);
  await card.getByText("Done.").waitFor();
});

labTest("the tour is skipped by its button and by Escape", async ({ page, lab }) => {
  const own = await lab.document();
  const card = page.getByRole("dialog", { name: "Tour" });
  await lab.button("Tour").click();
  await card.getByRole("button", { name: "Skip" }).click();
  await card.waitFor({ state: "hidden" });
  assert.deepEqual(await lab.document(), own);
  await lab.button("Tour").click();
  await card.getByText("1 of 5").waitFor();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  await lab.settled();
  assert.deepEqual(await lab.document(), own);
});

labTest("new visitors are offered the tour once, and can decline", async (visit) => {
  const { context, lab, server } = visit;
  // The tour is not offered in tests; this one pretends to be a visitor.
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false }),
  );
  await lab.page.close();
  const open = async () => {
    const page = await visit.newPage();
    await page.goto(server.url);
    await page.getByRole("application").waitFor();
    return page;
  };
  const first = await open();
  await first.getByText("New here?").waitFor();
  await first.getByRole("button", { name: "No thanks" }).click();
  await first.getByText("New here?").waitFor({ state: "hidden" });
  const second = await open();
  await second.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  assert.equal(await second.getByText("New here?").count(), 0);
});
