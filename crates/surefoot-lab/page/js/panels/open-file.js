// Maps from files: by button, or dropped anywhere on the page.

import { api } from "../core/connection.js";
import { el } from "../dom.js";
import { sizeOf } from "../format.js";
import { attempt } from "./export.js";
import { recordWords } from "./recording.js";

const ENDINGS = ".map,.txt,.grid,.png,.json,.3dmap,.flight.json";
const MEGABYTE = 1 << 20;
/** Loading is announced if it takes longer than this, in milliseconds. */
const SOON = 500;

/** Reads a map file and shows it. */
export function openFile(app, file) {
  return attempt(app, async () => {
    const most = app.about.limits.file_bytes;
    if (file.size > most) throw new Error(`${file.name} is ${Math.ceil(file.size / MEGABYTE)} MB. The lab opens files of up to ${most / MEGABYTE} MB.`);
    const scene = await saidIfSlow(app, `Opening ${file.name}…`, api.open(file.name, await file.arrayBuffer()));
    app.actions.showScene(scene, `open ${file.name}`);
    const { world, start } = app.store.doc;
    app.announce(`Opened ${file.name}, ${sizeOf(world)}`);
    if (app.live.replay) app.notify(recordWords(app.live.replay, app.about));
    if (start === null) app.notify(`Nothing in ${file.name} is connected. Place the start and the goal yourself.`);
  });
}

/** Waits for a promise, and shows a message meanwhile if it takes long. */
async function saidIfSlow(app, text, work) {
  let takeBack = () => {};
  const timer = setTimeout(() => (takeBack = app.notify(text)), SOON);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    takeBack();
  }
}

/** Opens the file chooser. */
export function chooseFile(app) {
  const input = el("input", { type: "file", accept: ENDINGS, hidden: true, "aria-label": "Map file" });
  input.addEventListener("change", () => {
    if (input.files.length > 0) openFile(app, input.files[0]);
    input.value = "";
  });
  document.body.append(input);
  return () => input.click();
}

/** Takes files that are dropped on the page, and shows where while they are dragged over it. */
export function takeDrops(app) {
  const text = el("p", {}, "Drop a map to open it", el("span", {}, ".map  .3dmap  .txt  .png  .world.json  .scene.json  .flight.json"));
  const target = el("div", { class: "drop-target", hidden: true, "aria-hidden": "true" }, text);
  document.body.append(target);
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  const show = (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    target.hidden = false;
  };
  addEventListener("dragenter", show);
  addEventListener("dragover", show);
  // Nothing is entered when the pointer leaves the page.
  addEventListener("dragleave", (event) => event.relatedTarget === null && (target.hidden = true));
  addEventListener("drop", (event) => {
    target.hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    openFile(app, event.dataTransfer.files[0]);
  });
}
