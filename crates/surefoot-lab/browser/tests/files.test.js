// What goes out of the lab comes back in as it was.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { labTest, sharingTest } from "./support/browser.js";
import { GRAPH, SMALL, TERRAIN } from "./support/maps.js";

const WALLS = TERRAIN.rows.map((row) => row.replaceAll(/\(10\)|4/g, "."));
const LINKS = [{ from: [1, 1], to: [20, 12], cost: 2.5, two_way: true }];

/** Chooses an item of the export menu; the file's name and bytes. */
async function exported(page, lab, title) {
  const coming = page.waitForEvent("download");
  await lab.button("Export").click();
  await page.getByRole("button", { name: new RegExp(`^${title}`) }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Opens a file by the button. */
async function opened(page, lab, { name, bytes }) {
  const coming = page.waitForEvent("filechooser");
  await lab.button("Open file").click();
  await (await coming).setFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
}

const mapOf = ({ kind, width, height, cost, nodes, edges, links }) => ({
  kind,
  width,
  height,
  cost,
  nodes,
  edges,
  links,
});

async function roundTrip({ page, lab }, title, ending) {
  const before = mapOf(await lab.document());
  const file = await exported(page, lab, title);
  assert.ok(file.name.endsWith(ending), file.name);
  await lab.evaluate(() => lab.actions.newMap(5, 5));
  await opened(page, lab, file);
  await lab.heard(/^Opened /);
  await lab.settled();
  assert.deepEqual(mapOf(await lab.document()), before, title);
}

sharingTest("a map with walls survives every format", async (visit) => {
  await visit.lab.show(WALLS, TERRAIN.places);
  await roundTrip(visit, "Benchmark map", ".map");
  await roundTrip(visit, "Text grid", ".txt");
  await roundTrip(visit, "Image map", ".png");
  await roundTrip(visit, "World", ".world.json");
});

// Chromium notes answers that refuse something on its console.
const REFUSED = { tolerate: /status of 400/ };

labTest(
  "terrain and links survive as a world, and what cannot be written is said",
  REFUSED,
  async (visit) => {
    const { page, lab } = visit;
    await lab.show(TERRAIN.rows, { ...TERRAIN.places, links: LINKS });
    await roundTrip(visit, "World", ".world.json");
    await lab.hearFromNowOn();
    await lab.button("Export").click();
    await page.getByRole("button", { name: /^Benchmark map/ }).click();
    await lab.heard(/link|terrain/i);
  },
);

sharingTest("a graph survives as a world", async (visit) => {
  await visit.lab.showWorld(GRAPH.world, GRAPH.start, GRAPH.goals);
  await roundTrip(visit, "World", ".world.json");
});

sharingTest("pictures are pictures of this step", async ({ page, lab }) => {
  await lab.show(TERRAIN.rows, TERRAIN.places);
  await lab.search();
  const end = await exported(page, lab, "Picture PNG");
  assert.deepEqual([...end.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  assert.ok(end.bytes.length > 1000);
  await lab.seek(12);
  const middle = await exported(page, lab, "Picture PNG");
  assert.notDeepEqual(middle.bytes, end.bytes);
  const { bytes } = await exported(page, lab, "Picture SVG");
  const text = bytes.toString("utf8");
  assert.match(text, /^(<\?xml[^>]*>\s*)?<svg[^>]*xmlns=/);
  assert.match(text, /<\/svg>\s*$/);
});

sharingTest("voxel worlds are pictures as they are seen, and drawings", async ({ page, lab }) => {
  await lab.evaluate(() => lab.actions.gallery("pillars"));
  await lab.settled();
  const seen = await exported(page, lab, "Picture PNG");
  assert.equal(seen.name, "map-48x48x24-astar.png");
  const drawn = await exported(page, lab, "Drawing PNG");
  assert.equal(drawn.name, "map-48x48x24-astar-drawing.png");
  for (const { bytes } of [seen, drawn]) assert.equal(bytes.toString("latin1", 1, 4), "PNG");
  assert.notDeepEqual(drawn.bytes, seen.bytes);
  const { bytes } = await exported(page, lab, "Drawing SVG");
  const { cost } = await lab.result();
  assert.match(bytes.toString("utf8"), new RegExp(`^<svg[^>]*>[^]*A\\*: cost ${cost.toFixed(2)}`));
});

sharingTest("a trace is exported as JSON with every event", async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  await lab.set({ algorithm: "bidirectional" });
  await lab.search();
  const { name, bytes } = await exported(page, lab, "Trace");
  assert.match(name, /\.json$/);
  const trace = JSON.parse(bytes.toString("utf8"));
  const events = await lab.evaluate(() => lab.runner.boards[0].timeline.length);
  assert.equal(trace.events.length, events);
  assert.equal(trace.query.algorithm, "bidirectional");
  const { path, cost } = await lab.result();
  assert.deepEqual(trace.result.path, path);
  assert.equal(trace.result.cost, cost);
  assert.deepEqual(new Set(trace.events.map(([action]) => action)).has("close"), true);
});

sharingTest("a file is opened by dropping it on the page", async ({ page, lab }) => {
  const text = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n";
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.map"));
    return data;
  }, text);
  const board = page.getByRole("application").first();
  await board.dispatchEvent("dragenter", { dataTransfer: transfer });
  await board.dispatchEvent("dragover", { dataTransfer: transfer });
  await page.getByText("Drop a map to open it").waitFor();
  await board.dispatchEvent("drop", { dataTransfer: transfer });
  await lab.heard(/^Opened dropped\.map/);
  const { width, height, cost } = await lab.document();
  assert.deepEqual([width, height, cost.filter((value) => value === 0).length], [5, 3, 3]);
  await page.getByText("Drop a map to open it").waitFor({ state: "hidden" });
});

labTest("a broken file is refused in words, and nothing is lost", REFUSED, async ({ page, lab }) => {
  await lab.show(SMALL.rows, SMALL.places);
  const before = await lab.document();
  const broken = {
    "broken.map": "type octile\nheight 3\nwidth 5\nmap\n.....\n.?.\n",
    "empty.png": "",
    "huge.map": "type octile\nheight 99999\nwidth 99999\nmap\n.",
    "world.world.json":
      '{"surefoot": "world", "version": 1, "kind": "grid", "width": 2, "height": 1, "rows": ["..."]}',
  };
  for (const [name, text] of Object.entries(broken)) {
    await opened(page, lab, { name, bytes: Buffer.from(text) });
    const said = await lab.heard(new RegExp(name.replaceAll(".", "\\.")));
    assert.ok(said.length > name.length + 10, said);
    assert.deepEqual(await lab.document(), before);
  }
});

sharingTest("generated maps show their seed, and the same seed gives the same map", async ({ page, lab }) => {
  const generate = async (seed) => {
    await lab.button("New").click();
    const dialog = page.getByRole("dialog", { name: "New map" });
    const form = dialog.getByRole("form", { name: "Generated map" });
    await form.getByRole("combobox", { name: "Kind" }).selectOption("maze");
    await form.getByRole("spinbutton", { name: "Width" }).fill("21");
    await form.getByRole("spinbutton", { name: "Height" }).fill("15");
    await form.getByRole("spinbutton", { name: "Seed" }).fill(`${seed}`);
    await form.getByRole("button", { name: "Generate" }).click();
    await lab.heard(new RegExp(`seed ${seed}`));
    return mapOf(await lab.document());
  };
  const first = await generate(7);
  assert.deepEqual([first.width, first.height], [21, 15]);
  assert.notDeepEqual(await generate(8), first);
  assert.deepEqual(await generate(7), first);
  await lab.button("New").click();
  const dialog = page.getByRole("dialog", { name: "New map" });
  assert.equal(await dialog.getByRole("spinbutton", { name: "Seed" }).inputValue(), "7");
  const empty = dialog.getByRole("form", { name: "Empty map" });
  await empty.getByRole("spinbutton", { name: "Width" }).fill("0");
  await empty.getByRole("button", { name: "Create" }).click();
  assert.match(await empty.getByRole("alert").innerText(), /whole numbers/);
  await empty.getByRole("spinbutton", { name: "Width" }).fill("17");
  await empty.getByRole("spinbutton", { name: "Height" }).fill("9");
  await empty.getByRole("button", { name: "Create" }).click();
  await lab.until(() => lab.store.doc.world.width === 17, "the new map");
});
