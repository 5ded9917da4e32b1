// Draws a grid and the search on it.
//
// The cells come from one of two sources: from far away a picture with one pixel a cell, close by tiles with patterns.
// Both are brought up to date cell by cell, and what they show depends on nothing but document, step and settings.

import { footprint } from "../tools/shapes.js";
import { PLANNER_FROM } from "./cell-ink.js";
import { CrowdLayer, drawWaits } from "./crowd-layer.js";
import { drawGhost } from "./ghost.js";
import { GridScene } from "./grid-scene.js";
import { JumpLayer } from "./jump-layer.js";
import { drawChokes, drawTouched, drawUnit, isFading } from "./live-layer.js";
import { pixelTable } from "./looks.js";
import {
  drawBreakpoint, drawCurrent, drawCursor, drawGoal, drawHover, drawLinks, drawPath, drawStart,
} from "./markers.js";
import { palette } from "./palette.js";
import { PathLine } from "./path-line.js";
import { drawPreview } from "./preview.js";
import { CellRaster } from "./raster.js";
import { SketchLayer } from "./sketch-layer.js";
import { TileLayer } from "./tiles.js";

/** CSS pixels that a cell needs for patterns. */
const CLOSE_BY = 8;
const NUMBERS_FROM = 36;
/** Tools whose mark under the pointer is as large as the brush. */
const BRUSHES = new Set(["brush", "line"]);
/** How strong the document's start and goals are while units walk. */
const BEHIND_UNITS = 0.4;

export class GridPainter {
  #app;
  #board;
  #scene = null;
  #shown = {};
  #raster = null;
  #tiles = new TileLayer();
  #jumps = new JumpLayer();
  #sketch = new SketchLayer();
  #crowd = new CrowdLayer();
  #table = null;
  /** Cells that may look different since the last drawing; `#all` if they are too many to list. */
  #touched = new Uint32Array(0);
  #count = 0;
  #all = true;
  /** Whether the picture from far away missed changes. */
  #rasterStale = true;
  #line = null;
  #lineOf = {};

  constructor(app, board) {
    this.#app = app;
    this.#board = board;
  }

  /** A cell may look different. */
  touch(cell) {
    if (this.#count < this.#touched.length) this.#touched[this.#count++] = cell;
    else this.#all = true;
  }

  /** Cells were painted. The walls above them may end there now. */
  touchPainted(cells) {
    const { width } = this.#app.store.doc.world;
    if (2 * cells.length > this.#touched.length) return this.invalidate();
    for (const cell of cells) {
      this.touch(cell);
      if (cell >= width) this.touch(cell - width);
    }
  }

  /** Everything may look different. */
  invalidate() {
    this.#all = true;
  }

  /** The cell at world coordinates, or -1. */
  pick(x, y) {
    const { world } = this.#app.store.doc;
    return world.indexOf([Math.floor(x), Math.floor(y)]);
  }

  draw(context, view) {
    const { width, height, ratio, scale } = view;
    const device = scale * ratio;
    const originX = Math.round(view.left * device);
    const originY = Math.round(view.top * device);
    this.#compose();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = palette.css("board");
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    context.setTransform(1, 0, 0, 1, -originX, -originY);
    const edges = {
      left: originX,
      top: originY,
      right: originX + context.canvas.width,
      bottom: originY + context.canvas.height,
    };
    this.#drawCells(context, { ...view, ...edges });
    const jumps = this.#drawLayers(context, { ...view, ...edges });
    context.setTransform(ratio, 0, 0, ratio, -originX, -originY);
    const margin = 12 / scale;
    const box = {
      left: view.left - margin,
      top: view.top - margin,
      right: view.left + width / scale + margin,
      bottom: view.top + height / scale + margin,
    };
    this.#drawFrame(context, scale, ratio);
    this.#drawOver(context, scale, box, { jumps, ratio });
  }

  /** Draws what was prepared and the tree of jumps; gives back whether there is such a tree. */
  #drawLayers(context, view) {
    const { about, store, ui, runner } = this.#app;
    const { world, links, boards } = store.doc;
    const run = runner.boards[this.#board];
    this.#sketch.draw(context, view, ui.showsPrepared(run) ? run.sketch : null, world);
    const { algorithm, moves } = boards[this.#board];
    const anyAngle = about.algorithms.some((known) => known.name === algorithm && known.any_angle);
    const shown = ui.aid && ui.jumps ? run.replay : null;
    const jumps = this.#jumps.show(shown, { world, links, moves, anyAngle });
    if (jumps) this.#jumps.draw(context, view);
    return jumps;
  }

  /** Notices what is to be shown now. */
  #compose() {
    const { store, ui, runner } = this.#app;
    const { world } = store.doc;
    const run = runner.boards[this.#board];
    const replay = ui.aid ? run.replay : null;
    const knowledge = this.#knowledge;
    const region = this.#atEnd ? (run.result?.region?.runs ?? null) : null;
    const shown = this.#shown;
    if (shown.world !== world) {
      this.#raster = new CellRaster(world.width, world.height);
      this.#touched = new Uint32Array(Math.max(world.nodeCount >> 3, 256));
    }
    const same = shown.world === world && shown.replay === replay && shown.region === region;
    if (!same || shown.knowledge !== knowledge) {
      this.#scene = new GridScene(world, replay, region, knowledge);
      this.#all = true;
      this.#tiles.show(this.#scene);
    }
    if (shown.palette !== palette.version) {
      this.#table = pixelTable();
      this.#all = true;
    }
    this.#shown = { world, replay, region, knowledge, palette: palette.version };
  }

  /** The board's unit while units walk, else null. */
  get #unit() {
    return this.#app.live.units[this.#board] ?? null;
  }

  /** What the unit's planner knows, if that is shown. */
  get #knowledge() {
    return this.#app.ui.planner ? (this.#unit?.knowledge ?? null) : null;
  }

  /** Whether the next frame looks different by itself. */
  isFading(now) {
    const knowledge = this.#knowledge;
    return knowledge !== null && isFading(knowledge, now);
  }

  /** Whether the result is shown: at the end of the search, or where there is none to watch. */
  get #atEnd() {
    const { runner, player } = this.#app;
    const { timeline, result } = runner.boards[this.#board];
    return result !== null && (!timeline || player.stepOf(this.#board) >= timeline.steps);
  }

  #drawCells(context, view) {
    const { scale, ratio } = view;
    const { width, height } = this.#scene;
    if (scale >= CLOSE_BY) {
      const { ui } = this.#app;
      const planner = this.#knowledge !== null;
      const [arrows, numbers] = [ui.arrows || planner, ui.numbers || planner];
      if (this.#all) this.#tiles.touchAll();
      else for (let i = 0; i < this.#count; i++) this.#tiles.touch(this.#touched[i]);
      if (this.#all || this.#count > 0) this.#rasterStale = true;
      this.#tiles.draw(context, { ...view, arrows, numbers, planner });
    } else {
      this.#tiles.clear();
      this.#fillRaster();
      const device = scale * ratio;
      this.#raster.draw(context, device, Math.round(width * device), Math.round(height * device));
    }
    this.#count = 0;
    this.#all = false;
  }

  #fillRaster() {
    const scene = this.#scene;
    const table = this.#table;
    const raster = this.#raster;
    if (this.#all || this.#rasterStale) {
      const { pixels } = raster;
      for (let cell = 0; cell < pixels.length; cell++) pixels[cell] = table[scene.plainLookOf(cell)];
      raster.paintedAll();
      this.#rasterStale = false;
      return;
    }
    for (let i = 0; i < this.#count; i++) {
      const cell = this.#touched[i];
      raster.paint(cell, table[scene.plainLookOf(cell)]);
    }
  }

  #drawFrame(context, scale, ratio) {
    const { width, height } = this.#scene;
    context.strokeStyle = palette.css("frame");
    context.lineWidth = 1;
    const half = 0.5 / ratio;
    context.lineJoin = "miter";
    context.strokeRect(-half, -half, width * scale + 2 * half, height * scale + 2 * half);
  }

  #drawOver(context, scale, box, { jumps, ratio }) {
    const { store, ui, runner, player, chokes, builder, crowd } = this.#app;
    const { world, links, boards } = store.doc;
    const run = runner.boards[this.#board];
    const seen = ([x, y], reach = 1) =>
      x + reach >= box.left && y + reach >= box.top && x - reach <= box.right && y - reach <= box.bottom;
    if (crowd?.active && ui.waits) drawWaits(context, scale, box, crowd, world.width);
    drawLinks(context, scale, links);
    const path = this.#atEnd ? (run.result.path ?? []) : [];
    if (path.length > 0) drawPath(context, scale, this.#pathLine(path, links), box);
    const radius = boards[this.#board].radius ?? 0;
    if (chokes.cells) drawChokes(context, scale, box, chokes.cells, world.width);
    if (crowd?.active) this.#crowd.draw(context, scale, box, crowd, { links, ratio });
    else this.#drawEnds(context, scale, { seen, radius });
    if (this.#unit) this.#drawLive(context, scale, box, radius);
    const current = ui.aid && run.timeline ? run.timeline.nodeOfStep(player.stepOf(this.#board)) : -1;
    if (current >= 0 && !this.#atEnd) {
      if (jumps) this.#jumps.drawLast(context, scale);
      drawCurrent(context, scale, ...world.place(current), ui.numbers && scale >= NUMBERS_FROM);
    }
    for (const { node = -1 } of ui.breakpoints) {
      if (node >= 0 && node < world.nodeCount) drawBreakpoint(context, scale, ...world.place(node));
    }
    if (builder.ghost) drawGhost(context, scale, builder.ghost);
    else if (ui.preview) drawPreview(context, scale, world, ui.preview);
    else if (ui.hovered >= 0 && ui.hovered < world.nodeCount) this.#drawHover(context, scale);
    if (ui.cursor >= 0 && ui.cursor < world.nodeCount) drawCursor(context, scale, ...world.place(ui.cursor));
  }

  /** Start and goals of the document. */
  #drawEnds(context, scale, { seen, radius }) {
    const { start, goals } = this.#app.store.doc;
    // Where units began and where they were to go stays visible behind them.
    if (this.#unit) context.globalAlpha = BEHIND_UNITS;
    if (start && seen(start, radius + 1)) drawStart(context, scale, start, this.#unit ? 0 : radius);
    goals.forEach((goal, i) => seen(goal) && drawGoal(context, scale, goal, goals.length > 1 ? `${i + 1}` : ""));
    context.globalAlpha = 1;
  }

  #drawLive(context, scale, box, radius) {
    const { store, live } = this.#app;
    const { world, links } = store.doc;
    const knowledge = this.#knowledge;
    if (knowledge) drawTouched(context, scale, box, knowledge, world.width, performance.now());
    const { target, sensing } = live;
    const quiet = knowledge !== null && scale >= PLANNER_FROM;
    drawUnit(context, scale, box, this.#unit, { target, sensing, radius, links, quiet });
  }

  #drawHover(context, scale) {
    const { ui, store } = this.#app;
    const [x, y] = store.doc.world.place(ui.hovered);
    const size = BRUSHES.has(ui.tool) ? ui.size : 1;
    if (size * scale >= 4) drawHover(context, scale, footprint(x, y, size));
  }

  #pathLine(path, links) {
    if (this.#lineOf.path !== path || this.#lineOf.links !== links) {
      this.#line = new PathLine(path, links);
      this.#lineOf = { path, links };
    }
    return this.#line;
  }
}
