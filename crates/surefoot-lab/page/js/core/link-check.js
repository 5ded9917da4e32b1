// Reads links. Links are untrusted input: everything is checked, and errors say what is wrong.

import { MOST_COST, edgeCount } from "./graph-edit.js";
import { MovingScene } from "./scene.js";
import { VoxelWorld, unpackSolid } from "./voxels.js";
import { GraphWorld, GridWorld } from "./world.js";

/** An error in a link. */
export class LinkError extends Error {}

const refuse = (what) => {
  throw new LinkError(what);
};
const check = (right, what) => right || refuse(what);
const isNumber = (value, least, most) => typeof value === "number" && value >= least && value <= most;
const isWhole = (value, least, most) => Number.isInteger(value) && isNumber(value, least, most);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const asList = (value, most, what) =>
  Array.isArray(value) && value.length <= most ? value : refuse(`its ${what} are not a list of at most ${most}`);

/** Reads the head and the costs of a link: the document and the view of it. */
export function checkLink(head, costs, about) {
  check(isObject(head), "its content is not an object");
  const world = checkWorld(head, costs, about);
  const place = (value, what) =>
    world.indexOf(checkPlace(value, world)) >= 0 ? value : refuse(`its ${what} is not on the map`);
  const goals = asList(head.goals, about.limits.goals, "goals").map((goal) => place(goal, "goal"));
  const start = head.start === null ? null : place(head.start, "start");
  const links = world.kind === "grid" ? checkLinks(head.links ?? [], place, about) : [];
  const boards = asList(head.boards, about.limits.boards, "boards").map((board) => checkBoard(board, world, about));
  check(boards.length > 0, "it has no board");
  const scene = world.kind === "voxel" && head.scene ? checkScene(head.scene, world, about) : null;
  return { doc: { world, links, start, goals, boards, scene }, view: checkView(head.view ?? {}, world, boards) };
}

function checkPlace(value, { kind }) {
  const numbers = kind === "voxel" ? 3 : 2;
  const isCell = Array.isArray(value) && value.length === numbers && value.every(Number.isInteger);
  return Number.isInteger(value) || isCell ? value : null;
}

function checkWorld(head, costs, about) {
  if (head.kind === "graph") return checkGraph(head, about);
  return head.kind === "voxel" ? checkVoxels(head, costs, about) : checkGrid(head, costs, about);
}

function checkVoxels({ size }, solid, { limits }) {
  const isSize = Array.isArray(size) && size.length === 3 && size.every((side) => isWhole(side, 1, limits.voxels));
  const cells = isSize ? size[0] * size[1] * size[2] : 0;
  check(isSize && cells <= limits.voxels, "the lab does not support the size of its map");
  const wanted = Math.ceil(cells / 8);
  check(solid.length === wanted, `its map has ${solid.length} bytes, expected ${wanted} for ${size.join(" x ")} cells`);
  return new VoxelWorld(size, unpackSolid(solid, cells));
}

/** What moves. The server looks at it more closely. */
function checkScene(scene, { size }, { limits }) {
  check(isObject(scene) && `${scene.size}` === `${size}`, "its scene and its map differ in size");
  asList(scene.obstacles ?? [], limits.obstacles, "obstacles");
  try {
    return new MovingScene(scene);
  } catch (error) {
    return refuse(error.message);
  }
}

function checkGrid({ kind, width, height, frame = {} }, costs, { limits }) {
  check(kind === "grid", "its map is not a grid, a graph or a voxel world");
  const fits = isWhole(width, 1, limits.side) && isWhole(height, 1, limits.side) && width * height <= limits.cells;
  check(fits, "the lab does not support the size of its map");
  check(costs.length === width * height, `its map has ${costs.length} cells, expected ${width} x ${height}`);
  check(isObject(frame), "the frame of its map is not an object");
  const kept = {};
  if (frame.origin !== undefined) kept.origin = checkPoint(frame.origin);
  if (frame.cell_size !== undefined) {
    check(isNumber(frame.cell_size, Number.MIN_VALUE, Number.MAX_VALUE), "its cell size is not a positive number");
    kept.cell_size = frame.cell_size;
  }
  return new GridWorld(width, height, costs, kept);
}

function checkPoint(point) {
  const numbers = Array.isArray(point) && (point.length === 2 || point.length === 3) && point.every(Number.isFinite);
  return numbers ? point : refuse("a point of its map is not two or three numbers");
}

function checkGraph(head, { limits }) {
  const nodes = asList(head.nodes, limits.nodes, "nodes").map(checkPoint);
  const edges = asList(head.edges, limits.edges, "edges").map((edge) => {
    const { from, to, cost = null, kind = "road", two_way = false } = isObject(edge) ? edge : {};
    const ends = isWhole(from, 0, nodes.length - 1) && isWhole(to, 0, nodes.length - 1);
    check(ends, "an edge of its map leads to an unknown node");
    check(["road", "link"].includes(kind) && typeof two_way === "boolean", "an edge of its map has an unknown kind");
    check(cost === null ? kind === "road" : isCost(cost), "an edge of its map has an invalid cost");
    return { from, to, cost, kind, two_way };
  });
  const world = new GraphWorld(nodes, edges);
  check(edgeCount(world) <= limits.edges, "its map has too many edges");
  return world;
}

/** How far ahead forecasts look, in seconds. */
const MOST_AHEAD = 0.5;

const isCost = (cost) => isNumber(cost, Number.MIN_VALUE, MOST_COST + 1000);

function checkLinks(links, place, { limits }) {
  return asList(links, limits.links, "links").map((link) => {
    const { from, to, cost, two_way = false } = isObject(link) ? link : {};
    check(isCost(cost) && typeof two_way === "boolean", "a link of its map has an invalid cost");
    return { from: place(from, "link"), to: place(to, "link"), cost, two_way };
  });
}

const named = (list, name) => list.some((known) => known.name === name);

function checkBoard(board, world, about) {
  check(isObject(board), "the settings of a board are not an object");
  const { algorithm: name, heuristic = null, weight = null, queue = null, radius = 0 } = board;
  const { moves = "8", moves3 = "26", terrain = "mean", metric = null } = board;
  const algorithm = about.algorithms.find((known) => known.name === name);
  check(algorithm, `it uses an unknown algorithm`);
  check(algorithm.worlds.includes(world.kind), `it uses ${algorithm.title}, which does not support this kind of map`);
  check(heuristic === null || isHeuristic(heuristic, about), "it uses an unknown heuristic");
  check(weight === null || isNumber(weight, ...about.weight), "its weight is out of range");
  check(queue === null || algorithm.queues.includes(queue), "it uses an unknown open list");
  check(named(about.moves, moves) && named(about.moves3, moves3), "it uses an unknown movement rule");
  check(named(about.terrain_rules, terrain), "it uses an unknown terrain rule");
  check(isNumber(radius, 0, about.radius_max), "its agent radius is out of range");
  const settings = { algorithm: name, heuristic, weight, queue, moves, moves3, radius, terrain };
  if (metric === null) return settings;
  check(Array.isArray(metric) && metric.length === 2 && metric.every(Number.isFinite), "its step costs are not numbers");
  return { ...settings, metric };
}

function isHeuristic(heuristic, about) {
  if (typeof heuristic !== "string") return false;
  if (!heuristic.startsWith("custom:")) return named(about.heuristics, heuristic);
  const weights = heuristic.slice("custom:".length).split(",");
  return weights.length === 2 && weights.every((text) => text !== "" && isNumber(Number(text), 0, about.custom_weight_max));
}

/** What is shown and how. A part that cannot be used is left out: the map and its search matter more. */
function checkView(view, world, boards) {
  check(isObject(view), "its view is not an object");
  const { step, end, lock, speed, board, camera, space, toggles, breakpoints } = view;
  const flags = isObject(toggles) ? toggles : {};
  return {
    step: isWhole(step, 0, 0xffffffff) ? step : null,
    end: end === true,
    lock: lock === "time" ? "time" : "expansions",
    speed: speed === "instant" ? Infinity : isNumber(speed, 1, 1e6) ? speed : 60,
    board: isWhole(board, 0, boards.length - 1) ? board : 0,
    camera: isCamera(camera) ? camera : null,
    space: world.kind === "voxel" && isObject(space) ? checkSpace(space, world) : null,
    toggles: {
      arrows: flags.arrows === true,
      numbers: flags.numbers === true,
      aid: flags.aid !== false,
      jumps: flags.jumps !== false,
      prepared: typeof flags.prepared === "boolean" ? flags.prepared : null,
    },
    breakpoints: (Array.isArray(breakpoints) ? breakpoints.slice(0, 100) : [])
      .filter((point) => isBreakpoint(point, world))
      .map(({ kind, node, value }) => (kind === "f" ? { kind, value } : { kind, node })),
  };
}

function checkSpace({ cells, axis, layers, editor, obstacles, forecast, mode, eye }, { size }) {
  const isLayer = (layer, along) => isWhole(layer, 0, size[along] - 1);
  const isEye = Array.isArray(eye) && eye.length === 6 && eye.every(Number.isFinite) && eye[3] > 0;
  return {
    cells: ["surface", "slice", "search"].includes(cells) ? cells : "surface",
    axis: isWhole(axis, 0, 2) ? axis : 2,
    layers: size.map((side, along) => (isLayer(layers?.[along], along) ? layers[along] : Math.floor(side / 2))),
    editor: editor === true,
    obstacles: obstacles === "cells" ? "cells" : "shapes",
    forecast: isNumber(forecast, 0, MOST_AHEAD) ? Math.round(10 * forecast) / 10 : null,
    mode: mode === "fly" ? "fly" : "orbit",
    eye: isEye ? eye : null,
  };
}

function isCamera(camera) {
  if (!Array.isArray(camera) || camera.length !== 5 || !camera.every(Number.isFinite)) return false;
  return camera.slice(2).every((value) => value > 0);
}

function isBreakpoint(point, world) {
  if (!isObject(point)) return false;
  if (point.kind === "f") return isNumber(point.value, 0, Number.MAX_VALUE);
  return ["opened", "closed"].includes(point.kind) && isWhole(point.node, 0, world.nodeCount - 1);
}
