// Light and dark, small and large, with and without motion.

import assert from "node:assert/strict";
import { labTest, sharingTest } from "./support/browser.js";
import { TERRAIN } from "./support/maps.js";

/** 0 for black, 1 for white. */
const lightness = (page) =>
  page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
    return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  });

labTest(
  "dark where the system is dark, and by the button, which is remembered",
  { colorScheme: "dark" },
  async (visit) => {
    const { page, lab } = visit;
    assert.ok((await lightness(page)) < 0.3);
    const dark = await lab.picture();
    const theme = page.getByRole("button", { name: /^Theme/ });
    await theme.click();
    await lab.until(() => lab.ui.theme === "light", "the light theme");
    assert.ok((await lightness(page)) > 0.7);
    await page.mouse.move(0, 0);
    assert.notEqual(await lab.picture(), dark, "the board changes too");
    await page.reload();
    await lab.until(() => globalThis.lab?.ui.theme === "light", "the remembered theme");
    assert.ok((await lightness(page)) > 0.7);
  },
);

const SIZES = { "a phone": [[360, 640], [390, 844]], "a screen": [[768, 1024], [1280, 720], [3840, 2160]] };

for (const [name, sizes] of Object.entries(SIZES)) {
  const options = name === "a phone" ? { hasTouch: true } : {};
  sharingTest(`on ${name} of every size nothing sticks out, the board and Run can be seen`, options, async ({ page, lab }) => {
    await lab.show(TERRAIN.rows, TERRAIN.places);
    await lab.search();
    for (const [width, height] of sizes) {
      const where = `${width} x ${height}`;
      await page.setViewportSize({ width, height });
      await lab.drawn();
      const { inner, outer } = await page.evaluate(() => {
        const [page, body] = [document.documentElement, document.body].map(({ scrollWidth }) => scrollWidth);
        return { inner: Math.max(page, body), outer: innerWidth };
      });
      assert.ok(inner <= outer, `${inner} of ${outer} px: ${where}`);
      const board = await page.getByRole("application").first().boundingBox();
      assert.ok(board.width >= 0.4 * width && board.height >= 0.25 * height, `${board.width} x ${board.height}: ${where}`);
      for (const control of [lab.button("Run"), page.getByRole("slider", { name: "Step" }), lab.button("Help")]) {
        const box = await control.boundingBox();
        const isInside = box && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height;
        assert.ok(isInside, `${control}: ${where}`);
      }
    }
  });
}

sharingTest("the slider of steps can be aimed at in windows of every width", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  await lab.rested();
  await lab.evaluate(() => lab.player.set({ speed: 987_654 }));
  const slider = page.getByRole("slider", { name: "Step" });
  const bar = page.locator(".playback-bar");
  // Below 900 pixels the panels are sheets. Above, folding one of them is like a window that is wider by as much.
  for (const width of [1920, 1440, 1280, 1152, 1024, 900, 768, 600, 480, 360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const shown of width < 900 ? [true] : [true, false]) {
      await lab.evaluate((shown) => lab.ui.set({ toolsShown: shown, factsShown: shown }), shown);
      await lab.drawn();
      // As long as what stands beside it can be.
      await page.locator(".total").evaluate((it) => (it.textContent = "/ 4,194,304"));
      const where = `${width} px, panels ${shown ? "shown" : "folded"}`;
      const box = await slider.boundingBox();
      assert.ok(box.width >= 160, `${box.width} px: ${where}`);
      const [inner, outer] = await bar.evaluate((it) => [it.scrollWidth, it.clientWidth]);
      assert.ok(inner <= outer, `${inner} of ${outer} px: ${where}`);
      const overlaps = await bar.evaluate((it) => {
        const boxes = [...it.querySelectorAll(":scope > *")].filter((part) => part.offsetWidth > 0).map((part) => part.getBoundingClientRect());
        const meets = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
        return boxes.some((a, i) => boxes.slice(i + 1).some((b) => meets(a, b)));
      });
      assert.ok(!overlaps, `parts lie on each other: ${where}`);
    }
  }
});

labTest(
  "on a phone the panels are sheets, and settings work there",
  { viewport: { width: 360, height: 740 }, hasTouch: true },
  async ({ page, lab }) => {
    await lab.show(TERRAIN.rows, TERRAIN.places);
    const tabs = page.getByRole("navigation", { name: "Panels" });
    await tabs.getByRole("button", { name: "Algorithm" }).tap();
    const algorithm = page.getByRole("combobox", { name: "Algorithm" });
    await algorithm.waitFor();
    await algorithm.selectOption({ label: "Dijkstra" });
    await tabs.getByRole("button", { name: "Algorithm" }).tap();
    await algorithm.waitFor({ state: "hidden" });
    await lab.button("Run").tap();
    await lab.settled();
    assert.equal((await lab.document()).boards[0].algorithm, "dijkstra");
    await tabs.getByRole("button", { name: "Details" }).tap();
    await page.getByRole("region", { name: "This run" }).waitFor();
    await tabs.getByRole("button", { name: "Tools" }).tap();
    await page.getByRole("button", { name: /^Grass/ }).tap();
    assert.equal(await lab.evaluate(() => lab.ui.cost), 4);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  },
);

labTest("crisp where a pixel of the page is one and a half of the screen", { deviceScaleFactor: 1.5 }, async ({ lab }) => {
  await lab.drawn();
  const { pixels, size, ratio } = await lab.evaluate(() => {
    const { canvas } = lab.boards.views[0];
    return { pixels: canvas.width, size: canvas.getBoundingClientRect().width, ratio: devicePixelRatio };
  });
  assert.equal(ratio, 1.5);
  assert.ok(Math.abs(pixels - size * ratio) <= 1, `${pixels} pixels for ${size} at ${ratio}`);
});

labTest(
  "with reduced motion the search appears at its end and can be stepped",
  { reducedMotion: "reduce" },
  async ({ page, lab }) => {
    await lab.show(TERRAIN.rows, TERRAIN.places);
    await lab.evaluate(() => {
      globalThis.seen = [];
      lab.player.on("move", () => seen.push([lab.player.position, lab.player.length]));
    });
    await lab.button("Run").click();
    await lab.until(
      () => lab.runner.boards[0].timeline && lab.player.position === lab.player.length,
      "the end",
    );
    await lab.settled();
    assert.equal(await lab.evaluate(() => lab.player.playing), false);
    assert.ok(
      await lab.evaluate(() => seen.every(([position, length]) => position === 0 || position === length)),
    );
    const length = await lab.steps();
    await lab.button("Step back").click();
    assert.equal(await lab.step(), length - 1);
  },
);

sharingTest("panels fold away and the board takes their room", async ({ page, lab }) => {
  const width = async () => (await page.getByRole("application").first().boundingBox()).width;
  const before = await width();
  await page.getByRole("button", { name: /tools panel/ }).click();
  await page.getByRole("button", { name: /details panel/ }).click();
  await lab.drawn();
  assert.ok((await width()) > before + 300);
  await page.getByRole("button", { name: /tools panel/ }).click();
  await page.getByRole("button", { name: /details panel/ }).click();
  await lab.drawn();
  assert.equal(await width(), before);
});

sharingTest("the legend names what the board shows", async ({ page }) => {
  const legend = page.locator("#facts").getByText("Legend");
  await legend.click();
  const text = (await page.locator("#facts").innerText()).toLowerCase();
  for (const word of ["wall", "floor", "open", "closed", "path", "start", "goal"])
    assert.ok(text.includes(word), word);
});
