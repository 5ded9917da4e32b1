// A voxel world as a small picture.

import { Movement } from "../core/movement.js";
import { SpaceCamera } from "./camera.js";
import { finished } from "./frames.js";
import { meshesOf } from "./meshes.js";
import { SpaceRenderer } from "./renderer.js";

const NO_SEARCH = {
  radius: 0,
  slice: null,
  timeline: null,
  events: 0,
  jumps: false,
  region: null,
  current: null,
  path: null,
  marked: null,
  layer: null,
  touched: null,
  trail: null,
  obstacles: "shapes",
};

/** Made when it is first needed: browsers allow only some renderers at a time. */
let shared = null;

/** A canvas with the whole world, its start, its goals and what moves; null where nothing can be drawn. It is used again. */
export function spacePicture({ world, start, goals, scene = null }, width, height) {
  try {
    shared ??= makeShared();
  } catch {
    return null;
  }
  const { canvas, renderer, camera } = shared;
  Object.assign(canvas, { width, height });
  camera.fit(world.size, width, height);
  meshesOf(world).work(Infinity, camera.eye);
  const movement = scene && new Movement(world, scene);
  const moving = { movement, poses: movement?.poses(0) ?? null };
  const shown = { world, start, goals, cells: "surface", ...NO_SEARCH, ...moving };
  finished(renderer.render(camera, { width, height, ratio: 1 }, shown));
  return canvas;
}

function makeShared() {
  const canvas = new OffscreenCanvas(1, 1);
  return { canvas, renderer: new SpaceRenderer(canvas), camera: new SpaceCamera() };
}
