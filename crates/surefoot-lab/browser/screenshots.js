// Pictures of the lab for the documentation: npm run screenshots -- FOLDER [NAME ...]
//
// main (light, a search in its middle), race, phone (dark), inspector (arrows and numbers), graph, live (D* Lite beside A*),
// crowd (two armies that meet), space (a tower, cut open), scene (MT-D* Lite beside A* among moving obstacles, with the cells that these will cover).

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { smallPng } from "./small-png.js";
import { Lab } from "./tests/support/lab.js";
import { answered, goLive } from "./tests/support/live.js";
import { launch } from "./tests/support/launch.js";
import { Server } from "./tests/support/server.js";

const DESK = { viewport: { width: 1440, height: 900 }, colorScheme: "light" };
const PHONE = {
  viewport: { width: 390, height: 844 },
  colorScheme: "dark",
  hasTouch: true,
  deviceScaleFactor: 2,
};

const goTo = (lab, share) =>
  lab.evaluate((share) => lab.player.seek(Math.floor(share * lab.player.length)), share);

/** What to do before each picture is taken. */
const SCENES = {
  async main(lab) {
    await lab.search();
    await goTo(lab, 0.55);
  },
  async race(lab) {
    await lab.evaluate(() => lab.actions.gallery("trap"));
    await lab.settled();
    await lab.evaluate(() => {
      for (const algorithm of ["greedy", "dijkstra", "bidirectional"]) {
        lab.actions.addBoard();
        lab.actions.setBoard(lab.store.doc.boards.length - 1, { algorithm });
      }
    });
    await lab.drawn();
    await lab.evaluate(() => lab.fit());
    await lab.search();
    await lab.until(() => lab.runner.boards.every((run) => run.timing), "measured times");
  },
  async phone(lab) {
    await lab.search();
    await goTo(lab, 0.6);
  },
  async inspector(lab) {
    await lab.evaluate(() => lab.actions.gallery("barnyard"));
    await lab.settled();
    await lab.search();
    await lab.evaluate(() => {
      const { world } = lab.store.doc;
      const { path } = lab.runner.boards[0].result;
      const onPath = new Set(path.map((place) => world.indexOf(place)));
      const [x, y] = path[Math.floor(path.length / 2)];
      // A cell that was looked at beside the path.
      const beside = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([dx, dy]) => world.indexOf([x + dx, y + dy]));
      const { newest } = lab.runner.boards[0].timeline;
      const cursor = beside.find((node) => newest[node] >= 0 && !onPath.has(node)) ?? world.index(x, y);
      lab.ui.set({ arrows: true, numbers: true, cursor });
      lab.camera.set(x + 0.5, y + 0.5, 72);
    });
    await goTo(lab, 1);
  },
  async graph(lab) {
    await lab.page.getByRole("group", { name: "World" }).getByRole("button", { name: "Graph" }).click();
    await lab.until(() => lab.store.doc.world.kind === "graph", "a graph");
    await lab.settled();
    await lab.search();
    await goTo(lab, 0.7);
  },
  async crowd(lab) {
    await lab.evaluate(() => lab.actions.gallery("armies"));
    await lab.until(() => lab.crowd.units.count === 480, "the armies");
    await lab.evaluate(() => lab.crowd.pause());
    for (let tick = 0; tick < 480; tick += 30) {
      await lab.until(() => !lab.crowd.isWaiting, "the answer to some ticks");
      await lab.evaluate(() => lab.crowd.step(30));
    }
    await lab.until(() => !lab.crowd.isWaiting, "the answer to the last ticks");
    await lab.evaluate(() => lab.crowd.select(lab.crowd.units.number(200)));
    await lab.until(() => lab.crowd.unit !== null, "one unit in detail");
    await lab.evaluate(() => lab.fit());
  },
  async space(lab) {
    await lab.evaluate(() => lab.actions.gallery("tower"));
    await lab.settled();
    await lab.search();
    await lab.evaluate(() => lab.ui.set({ cells: "slice", axis: 1, layers: lab.ui.layers.with(1, 12) }));
    await lab.until(() => lab.boards.views[0].drawn.complete, "the whole surface");
  },
  async scene(lab) {
    await lab.evaluate(() => {
      const [board] = lab.store.doc.boards;
      lab.store.change("boards", { boards: ["mt_d_star_lite", "astar"].map((algorithm) => ({ ...board, algorithm })) });
      lab.live.set({ guarded: false });
      lab.ui.set({ forecast: true, ahead: 0.5 });
      return lab.actions.gallery("patrols");
    });
    await lab.until(() => lab.live.active && lab.live.tick > 0, "a scene that moves");
    await lab.button("Pause").click();
    for (let tick = 0; tick < 150; tick += 6) {
      await answered(lab);
      await lab.evaluate(() => lab.live.step(6));
    }
    await answered(lab);
    await lab.evaluate(() => lab.fit());
    await lab.until(() => !lab.live.movement.isMoving(), "everything in its place");
  },
  async live(lab) {
    await lab.evaluate(() => lab.actions.gallery("caves"));
    await lab.settled();
    await lab.evaluate(() => {
      const [board] = lab.store.doc.boards;
      lab.store.change("boards", { boards: ["astar", "d_star_lite"].map((algorithm) => ({ ...board, algorithm })) });
    });
    await lab.settled();
    await lab.evaluate(() => lab.fit());
    await goLive(lab);
    for (let drops = 0; drops < 9; drops++) {
      await lab.button("Drop walls").click();
      await lab.evaluate(() => lab.live.step(12));
      await lab.until((replans) => lab.live.replans.columns.length >= replans, "a replan", drops + 2);
    }
  },
};

/** The pixels of a PNG; the browser knows how to read it. */
async function decoded(page, png) {
  const { base64, width, height } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (let at = 0; at < data.length; at += 0x8000)
      text += String.fromCharCode(...data.subarray(at, at + 0x8000));
    return { base64: btoa(text), width, height };
  }, png.toString("base64"));
  return { pixels: Buffer.from(base64, "base64"), width, height };
}

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error("name a folder: npm run screenshots -- FOLDER");
await mkdir(folder, { recursive: true });
const server = await Server.start();
const browser = await launch();
try {
  for (const [name, prepare] of Object.entries(SCENES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const context = await browser.newContext(name === "phone" ? PHONE : DESK);
    const lab = new Lab(await context.newPage());
    await lab.open(server.url);
    await lab.settled();
    await prepare(lab);
    await lab.drawn();
    const path = join(folder, `${name}.png`);
    const { pixels, width, height } = await decoded(lab.page, await lab.page.screenshot());
    const file = smallPng(pixels, width, height);
    await writeFile(path, file);
    console.log(`${path}: ${width} x ${height}, ${Math.round(file.length / 1024)} KB`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.kill();
}
