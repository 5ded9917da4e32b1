// The page loads and keeps to itself.

import assert from "node:assert/strict";
import { labTest } from "./support/browser.js";
import { spaceTest } from "./support/space.js";

labTest("it loads, shows a path and sends requests to its own server only", async (visit) => {
  const { page, lab, server } = visit;
  await lab.settled();
  assert.equal(await page.title(), "Surefoot lab");
  assert.equal((await lab.result()).outcome, "found");
  assert.ok(visit.requests > 20, `only ${visit.requests} requests were seen`);
  const answer = await page.request.get(server.url);
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /default-src '(none|self)'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:\/\/(?!127)/);
});

labTest(
  "scripts from elsewhere and inline scripts are refused",
  { tolerate: /Content Security Policy/ },
  async ({ page }) => {
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "globalThis.slipped = true";
      document.head.append(script);
      await new Promise((done) => setTimeout(done));
      return globalThis.slipped ?? false;
    });
    assert.equal(ran, false);
  },
);

labTest("every control has a name", async ({ page, lab }) => {
  await lab.evaluate(() => {
    lab.actions.addBoard();
    lab.actions.run();
  });
  await lab.settled();
  const lines = (await page.locator("body").ariaSnapshot()).split("\n");
  const controls = lines.filter((line) =>
    /^\s*- '?(button|link|textbox|combobox|slider|spinbutton|checkbox|radio|application|table|dialog)\b/.test(
      line,
    ),
  );
  assert.ok(controls.length > 50, `only ${controls.length} controls`);
  assert.deepEqual(controls.filter((line) => !/^\s*- '?\w+ "[^"]+/.test(line)), []);
});

spaceTest("every scene of the gallery opens and can be searched", async ({ page, lab }) => {
  const gallery = await lab.evaluate(() => lab.about.gallery);
  assert.ok(gallery.length >= 7);
  for (const { title, moves, crowd } of gallery) {
    await lab.button("Gallery").click();
    const dialog = page.getByRole("dialog", { name: "Gallery" });
    await dialog.getByRole("button", { name: title, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await lab.until((label) => lab.store.undoLabel === label, title, title);
    if (moves) {
      await lab.until(() => lab.live.active && lab.live.tick > 0, "a scene that moves");
      await lab.evaluate(() => lab.live.stop());
    }
    if (crowd) {
      await lab.until(() => lab.crowd.active && lab.crowd.figures, "a crowd that walks");
      await lab.button("Crowd").click();
    }
    await lab.settled();
    const { start, goals } = await lab.document();
    if (start !== null && goals.length > 0)
      assert.ok(["found", "unreachable"].includes((await lab.result()).outcome), title);
  }
});
