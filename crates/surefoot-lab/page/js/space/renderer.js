// Draws a voxel world and a search in it with WebGL2.

import { boardColour } from "../board/live-layer.js";
import { palette } from "../board/palette.js";
import { axisEdges } from "./axes.js";
import { CellLayer } from "./cell-layer.js";
import { FrameLayer } from "./frame-layer.js";
import { MarkLayer } from "./mark-layer.js";
import { frustum } from "./matrix.js";
import { ObstacleLayer } from "./obstacle-layer.js";
import { SearchLayer } from "./search-layer.js";
import { SolidLayer } from "./solid-layer.js";
import { Target } from "./target.js";

/** Half the side of a cell that an obstacle covers, of one that a plan looked at, and of one that is cut off. */
const COVERED = 0.5;
const TOUCHED = 0.2;
const CUT_OFF = 0.36;
/** Half the side of a cell that an obstacle will cover. */
const FORECAST = 0.3;
/** How far faces reach over their edges, in pixels: rounding leaves no holes between them. */
const GROWN = 0.15;
const BOARDS = [0, 1, 2, 3].map(boardColour);
const AXES = ["axis-x", "axis-y", "axis-z"];

/** A colour of the palette for the card. */
const unit = (name) => palette.parts(name).map((value) => value / 255);
const opaque = (name) => unit(name).slice(0, 3);

/** The cells of rows `[x, y, z, n]`, by their numbers. */
function* cellsOfRuns(world, runs) {
  for (const [x, y, z, n] of runs) for (let i = 0; i < n; i++) yield world.index(x + i, y, z);
}

export class SpaceRenderer {
  #gl;
  #layers = null;
  #target = null;
  #colours = null;
  #paletteVersion = -1;

  /** Fails if the browser has no WebGL2. */
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("this browser does not support WebGL2");
    this.#gl = gl;
    this.restore();
  }

  get isLost() {
    return this.#gl.isContextLost();
  }

  /** Notes what was asked of the card: gives back a function that says whether it has been done. */
  fence() {
    const gl = this.#gl;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return () => {
      if (sync && gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.UNSIGNALED) return false;
      gl.deleteSync(sync);
      return true;
    };
  }

  /** Makes everything anew that was on the card. */
  restore() {
    const gl = this.#gl;
    this.#target = new Target(gl);
    this.#layers = {
      solid: new SolidLayer(gl),
      search: new SearchLayer(gl),
      region: new CellLayer(gl),
      obstacles: new ObstacleLayer(gl),
      covered: new CellLayer(gl),
      touched: new CellLayer(gl),
      forecast: new CellLayer(gl),
      marks: new MarkLayer(gl),
      frame: new FrameLayer(gl),
    };
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    // The world is left-handed, so what is counter-clockwise in it is clockwise on the screen.
    gl.frontFace(gl.CW);
  }

  /** Gives the card back what is on it. */
  release() {
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  /** Cells were painted. */
  spoil() {
    this.#layers.solid.spoil();
  }

  #readColours() {
    if (this.#paletteVersion === palette.version) return;
    this.#paletteVersion = palette.version;
    this.#colours = {
      background: opaque("board"),
      floor: opaque("floor"),
      gridLine: unit("space-grid"),
      frame: unit("frame"),
      axes: AXES.map(unit),
      low: opaque("solid-low"),
      high: opaque("solid-high"),
      cut: opaque("solid-cut"),
      obstacle: opaque("obstacle"),
      obstacleInside: opaque("obstacle-inside"),
      open: unit("open"),
      openBack: unit("open-back"),
      closed: unit("closed"),
      closedBack: unit("closed-back"),
      jump: unit("jump"),
      region: unit("region"),
      path: unit("path"),
      casing: unit("path-casing"),
      start: unit("start"),
      goal: unit("goal"),
      current: unit("current"),
      cursor: unit("cursor"),
      layer: unit("accent-line"),
      forecast: unit("forecast"),
      hit: unit("hit"),
      boards: BOARDS.map(unit),
    };
  }

  /**
   * Draws a frame. `shown` has the `world`; which `cells` ("surface", "slice" or "search") and the `slice`
   * (`{axis, at}`); of a search the `timeline`, how many `events`, whether its `jumps`, its `region`, `path` and
   * `current` cell; of a scene its `movement`, the `poses` of now and what to show of `obstacles` ("shapes" or "cells"); the
   * cells that a plan `touched`, those that obstacles will cover (`forecast`: `{of, version, cells}`), the `trail` of the unit on this `board`,
   * whether that is a `unit`, and where it has had `hits`; `start`, `goals` and the agent's `radius`; the cell that is `marked` and the `layer` that is
   * painted, as a slice is. What there is not is null. `isFine` is false for fewer pixels with hard edges, `halvings` for larger cells.
   * It yields after about `piece` faces; the frame is seen when it is done. Gives back `{faces, complete}`: how many were drawn, and
   * whether none are still to come.
   */
  *render(camera, { width, height, ratio }, shown, { isFine = true, halvings = 0, piece = Infinity } = {}) {
    this.#readColours();
    const gl = this.#gl;
    const colours = this.#colours;
    const { world } = shown;
    const { solid, search, region, touched, forecast, marks, frame } = this.#layers;
    const matrix = camera.matrix(width / height);
    const reach = Math.hypot(...world.size);
    const pixel = 1 / camera.pixelsAt(1, height);
    const uniforms = {
      uMatrix: matrix,
      uEye: camera.eye,
      uBackground: colours.background,
      uFog: [camera.distance + 0.1 * reach, camera.distance + 1.6 * reach],
      uLow: colours.low,
      uHigh: colours.high,
      uCut: colours.cut,
      uDarkest: palette.dark ? 0.42 : 0.58,
      uLine: palette.dark ? 0.22 : 0.13,
      uGrow: (GROWN * pixel) / ratio,
    };
    const slice = shown.cells === "slice" ? shown.slice : null;
    const how = { uniforms, colours, slice, pixel, planes: frustum(matrix), piece, asked: { faces: 0 }, halvings };
    this.#target.begin(Math.round(width * ratio), Math.round(height * ratio), isFine);
    gl.clearColor(...colours.background, 1);
    // An abandoned frame may have left it off.
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    frame.drawGround(world.size, how);
    const surface = shown.cells === "search" ? { shown: 0, complete: true } : yield* solid.draw(world, how);
    frame.drawBox(world.size, axisEdges(world.size, camera, width, height), how);
    if (slice) frame.drawLayer(world.size, slice.axis, slice.at + 1, colours.layer, how);
    if (shown.layer) frame.drawLayer(world.size, shown.layer.axis, shown.layer.at + 0.5, colours.layer, how);
    if (shown.movement) yield* this.#drawObstacles(shown, how);
    if (shown.forecast) {
      yield* forecast.drawList(world, { ...shown.forecast, half: FORECAST, front: colours.forecast, hides: false }, how);
    }
    if (shown.touched) {
      const cells = { of: shown.touched, cells: shown.touched };
      yield* touched.drawList(world, { ...cells, half: TOUCHED, front: colours.open, hides: false }, how);
    }
    if (shown.timeline) yield* search.draw(world, shown.timeline, shown.events, shown.jumps, how);
    if (shown.region) {
      const cells = { of: shown.region, cells: cellsOfRuns(world, shown.region) };
      yield* region.drawList(world, { ...cells, half: CUT_OFF, front: colours.region, hides: false }, how);
    }
    if (shown.trail) frame.drawTrail(shown.trail, colours.boards[shown.board], how);
    marks.draw(shown, how);
    if (shown.current) frame.drawCell(shown.current, colours.current, how);
    if (shown.marked) frame.drawCell(shown.marked, colours.cursor, how);
    this.#target.show();
    return { faces: surface.shown, complete: surface.complete };
  }

  /** Obstacles as shapes or as the cells they cover. */
  *#drawObstacles({ world, cells, movement, poses, obstacles }, how) {
    const { covered, obstacles: shapes } = this.#layers;
    if (obstacles === "shapes") return shapes.draw(movement.scene, poses, cells === "search", how);
    const covering = { of: movement, version: movement.version, cells: movement.cells.subarray(0, movement.count) };
    const look = { half: COVERED, front: [...how.colours.obstacle, 1], hides: true };
    return yield* covered.drawList(world, { ...covering, ...look }, how);
  }
}
