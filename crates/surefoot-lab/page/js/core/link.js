// The whole state of the lab in a link: map, settings, step and view, in the part of the address that is never sent to a server.
//
// `#1.` and then packed bytes: a JSON head, a zero byte, and for a grid its costs, a byte a cell, for a voxel world its
// solid cells, a bit a cell. The number is the version of this layout.

import { LinkError, checkLink } from "./link-check.js";
import { pack, unpack } from "./pack.js";
import { packSolid } from "./voxels.js";

const VERSION = "1";
/** Links longer than this do not work everywhere: some programs cut them. */
export const LONG_LINK = 60_000;
/** Longer links are rejected. */
const MOST_CHARACTERS = 24 << 20;
const MOST_HEAD = 16 << 20;
/** Boards whose sizes differ by a smaller share are as large as each other. */
const SAME_SIZE = 0.1;

/** The fragment that shows the lab as it is now. */
export async function writeLink(app) {
  const { world, links, start, goals, boards, scene } = app.store.doc;
  const head = { kind: world.kind, start, goals, boards: boards.map(withoutNulls), view: viewOf(app) };
  let costs = new Uint8Array();
  if (world.kind === "voxel") {
    head.size = world.size;
    if (scene) head.scene = scene.json;
    costs = packSolid(world.cost);
  } else if (world.kind === "grid") {
    Object.assign(head, { width: world.width, height: world.height, frame: world.frame, links });
    costs = world.cost;
  } else {
    Object.assign(head, { nodes: world.nodes, edges: world.edges.map(withoutNulls) });
  }
  const text = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(text.length + 1 + costs.length);
  bytes.set(text);
  bytes.set(costs, text.length + 1);
  return `#${VERSION}.${await pack(bytes)}`;
}

const withoutNulls = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

function viewOf({ runner, player, ui, camera, space, boards, store }) {
  const watched = runner.boards.some((run) => run.timeline);
  const step = Math.floor(player.position);
  const { width, height } = boards.views[0];
  const inSpace = store.doc.world.kind === "voxel";
  return {
    ...(watched && { step, end: step >= player.length }),
    lock: player.lock,
    speed: player.speed === Infinity ? "instant" : player.speed,
    board: ui.board,
    // Nothing for the whole map. The size is there so that another screen can show the same part.
    ...(!inSpace && !boards.isFitted && { camera: [camera.x, camera.y, camera.scale, width, height] }),
    toggles: { arrows: ui.arrows, numbers: ui.numbers, aid: ui.aid, jumps: ui.jumps, prepared: ui.prepared },
    breakpoints: ui.breakpoints,
    ...(inSpace && { space: spaceViewOf(ui, space.camera, boards.isFitted) }),
  };
}

function spaceViewOf({ cells, axis, layers, sliceEditor, obstacles, forecast, ahead }, { mode, target, distance, yaw, pitch }, isFitted) {
  const eye = isFitted ? {} : { eye: [...target, distance, yaw, pitch] };
  return { cells, axis, layers, editor: sliceEditor, obstacles, forecast: forecast ? ahead : null, mode, ...eye };
}

/**
 * Reads a fragment: `{doc, restore(app)}`, or null if it is empty. Fails with an Error whose message can be shown.
 * `restore` is called once the document is in the store; it searches again and goes to the step.
 */
export async function readLink(fragment, about) {
  const text = fragment.replace(/^#/, "");
  if (text === "") return null;
  try {
    const { head, costs } = await readParts(text, about);
    const { doc, view } = checkLink(head, costs, about);
    return { doc, restore: (app) => restoreView(app, view) };
  } catch (error) {
    const reason = error instanceof LinkError ? error.message : "it is damaged or incomplete";
    throw new Error(`This link cannot be opened: ${reason}.`);
  }
}

async function readParts(text, about) {
  const version = /^(\d+)\./.exec(text)?.[1];
  if (version === undefined) throw new LinkError("it was not made by the lab");
  if (version !== VERSION) throw new LinkError("it was made by another version of the lab");
  if (text.length > MOST_CHARACTERS) throw new LinkError("it is too long");
  const bytes = await unpack(text.slice(version.length + 1), about.limits.cells + MOST_HEAD).catch((error) => {
    throw error instanceof RangeError ? new LinkError("its map is too large") : error;
  });
  const end = bytes.indexOf(0);
  if (end < 0 || end > MOST_HEAD) throw new LinkError("it is damaged or incomplete");
  const head = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end)));
  return { head, costs: bytes.slice(end + 1) };
}

/** Counts the links opened in this page: one that is still on its way ends when another is opened. */
let newest = 0;

function restoreView(app, view) {
  const { ui, player, runner, camera, boards } = app;
  const number = ++newest;
  ui.set({ ...view.toggles, breakpoints: view.breakpoints, board: view.board });
  player.set({ lock: view.lock, speed: view.speed });
  if (view.camera) {
    const [x, y, scale, width, height] = view.camera;
    const factor = Math.min(boards.views[0].width / width, boards.views[0].height / height);
    camera.set(x, y, Math.abs(factor - 1) < SAME_SIZE ? scale : scale * factor);
  }
  if (view.space) restoreSpace(app, view.space);
  if (view.step === null) return;
  whenReady(app, () => {
    if (number !== newest) return;
    runner.runAll({ trace: true, time: true });
    if (view.end) return player.followEnd();
    const stops = ["progress", "done", "failed"].map((type) => runner.on(type, arrive));
    function arrive() {
      const complete = runner.boards.every((run) => !run.busy);
      const left = number !== newest || player.playing;
      if (!left && !complete && player.length <= view.step) return;
      for (const stop of stops) stop();
      if (!left) player.seek(view.step);
    }
  });
}

function restoreSpace({ ui, space, fit }, { cells, axis, layers, editor, obstacles, forecast, mode, eye }) {
  ui.set({ cells, axis, layers, sliceEditor: editor, obstacles, forecast: forecast !== null, ahead: forecast ?? ui.ahead });
  fit();
  space.camera.set({ mode });
  if (!eye) return;
  const [x, y, z, distance, yaw, pitch] = eye;
  space.camera.set({ target: [x, y, z], distance, yaw, pitch });
}

/** Calls back when the server knows the map: the socket is open and the first look at the document is over. */
function whenReady({ connection }, callback) {
  const soon = () => requestAnimationFrame(() => requestAnimationFrame(callback));
  if (connection.isOpen) return soon();
  const stop = connection.on("open", () => {
    stop();
    soon();
  });
}
