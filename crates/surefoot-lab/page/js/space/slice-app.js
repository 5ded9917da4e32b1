// One layer of a voxel world as a grid, so that the 2D board can show and paint it.
//
// Everything that boards and tools ask the lab for is here in the coordinates of the layer; what they do goes to the
// lab in those of the world.

import { Camera } from "../core/camera.js";
import { FLOOR, GridWorld, WALL } from "../core/world.js";
import { Replay } from "../core/trace.js";
import { Layer } from "./layer.js";
import { coverLayer } from "./layer-cover.js";
import { pathInLayer } from "./layer-path.js";
import { sliceLive } from "./slice-live.js";

const NO_LINKS = [];
/** What there is while the world has no layers. */
const NOTHING = new GridWorld(1, 1);

/** The lab as the slice editor sees it. */
export class SliceApp {
  #app;
  #replay = null;
  /** The world, the layer of it that is shown, and its cells as a grid. */
  #shown = { world: null, layer: null, grid: NOTHING };
  /** The listeners for changed cells. */
  #listeners = new Set();
  /** The path's part in the layer, and what it is of. */
  #path = {};
  /** The same for what is cut off. */
  #region = {};

  constructor(app) {
    this.#app = app;
    const { about, announce, notify, chokes, builder } = app;
    Object.assign(this, { about, chokes, builder, live: sliceLive(app.live, this) });
    this.announce = (text) => announce(text);
    this.notify = (text) => notify(text);
    /** Cells have the names that they have in the world. */
    this.wordsOf = (grid, cell) => this.layer.inWorld(grid.place(cell)).join(", ");
    this.camera = new Camera();
    this.store = this.#makeStore();
    this.ui = this.#makeUi();
    this.runner = this.#makeRunner();
    this.player = { stepOf: () => app.player.stepOf(app.ui.board), on: (...listening) => app.player.on(...listening) };
    this.actions = this.#makeActions();
    app.live.on("ticked", () => this.#coverAgain());
    app.live.on("state", () => this.#coverAgain());
  }

  /** The layer that is shown, null while the world has none. */
  get layer() {
    this.#follow();
    return this.#shown.layer;
  }

  get #isNeeded() {
    return this.#app.store.doc.world.kind === "voxel";
  }

  #toLayer = (index) => this.layer?.cellOf(index) ?? -1;

  /** Shows the layer that was chosen. */
  #follow() {
    const { store, ui } = this.#app;
    const { world } = store.doc;
    if (!this.#isNeeded) return;
    const [axis, at] = [ui.axis, ui.layers[ui.axis]];
    const { layer } = this.#shown;
    if (this.#shown.world === world && layer.axis === axis && layer.at === at) return;
    const next = new Layer(world.size, axis, at);
    this.#shown = { world, layer: next, grid: new GridWorld(next.width, next.height, next.gather(world.cost)) };
    this.#shown.grid.covered = new Uint8Array(next.cellCount);
    coverLayer(this.#shown, this.#app.live.movement);
  }

  /** The cells of the layer. */
  get #grid() {
    this.#follow();
    return this.#isNeeded ? this.#shown.grid : NOTHING;
  }

  /** Obstacles have moved. */
  #coverAgain() {
    if (this.#shown.world !== this.#app.store.doc.world) return;
    const changed = coverLayer(this.#shown, this.#app.live.movement);
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
  }

  /** Cells of the world were painted; gives back those of the layer. */
  #repaint(cells) {
    const { world, layer, grid } = this.#shown;
    if (world !== this.#app.store.doc.world) return [];
    const painted = [];
    for (const index of cells) {
      const cell = layer.cellOf(index);
      if (cell < 0) continue;
      grid.cost[cell] = world.cost[index];
      painted.push(cell);
    }
    return painted;
  }

  #makeStore() {
    const slice = this;
    const { store } = this.#app;
    const inLayer = (place) => slice.layer?.inPicture(place) ?? null;
    return {
      get doc() {
        const { start, goals, boards } = store.doc;
        const { live } = slice.#app;
        return {
          world: slice.#grid,
          links: NO_LINKS,
          // A flying unit is shown instead of the start.
          start: live.active ? null : inLayer(start),
          goals: (live.active ? [live.target] : goals).map(inLayer).filter(Boolean),
          boards: [boards[Math.min(slice.#app.ui.board, boards.length - 1)]],
        };
      },
      paint: (label, cells, cost) => {
        const { layer } = slice;
        store.paint(label, Uint32Array.from(cells, (cell) => layer.indexOf(cell)), cost === WALL ? WALL : FLOOR);
      },
      begin: (label) => store.begin(label),
      end: () => store.end(),
      cancel: () => store.cancel(),
      on: (type, listener) => {
        const isCells = type === "cells";
        if (isCells) slice.#listeners.add(listener);
        const end = store.on(type, (detail) => slice.#isNeeded && listener(isCells ? slice.#repaint(detail) : detail));
        return () => {
          slice.#listeners.delete(listener);
          end();
        };
      },
    };
  }

  #makeUi() {
    const { ui } = this.#app;
    const slice = this;
    const toLayer = (name) => ({ get: () => slice.#toLayer(ui[name]) });
    const worldwide = new Set(["hovered", "cursor"]);
    return Object.create(ui, {
      hovered: toLayer("hovered"),
      cursor: toLayer("cursor"),
      breakpoints: {
        get: () => {
          const inLayer = (point) => ({ ...point, node: slice.#toLayer(point.node) });
          return ui.breakpoints.map((point) => ("node" in point ? inLayer(point) : point));
        },
      },
      // Parents may be in other layers: an arrow would point to the wrong cell.
      arrows: { value: false },
      jumps: { value: false },
      on: { value: (...listening) => ui.on(...listening) },
      set: {
        value: ({ board: _board, hoveredBoard: _hoveredBoard, ...fields }) => {
          const entries = Object.entries(fields).map(([name, value]) => [
            name, worldwide.has(name) && value >= 0 ? slice.layer.indexOf(value) : value,
          ]);
          ui.set({ ...Object.fromEntries(entries), ...("hovered" in fields && { hoveredBoard: ui.board }) });
        },
      },
    });
  }

  #makeRunner() {
    const { runner, ui } = this.#app;
    const slice = this;
    return {
      get boards() {
        return [slice.#runOf(runner.boards[Math.min(ui.board, runner.boards.length - 1)])];
      },
      on: (type, listener) => runner.on(type, (board) => listener(board === ui.board ? 0 : -1)),
    };
  }

  /** A search as far as it is in the layer. */
  #runOf({ timeline, result, sketch }) {
    const shown = result && { ...result, region: this.#regionOf(result.region), path: this.#pathOf(result.path) };
    return { timeline, result: shown, sketch, replay: timeline && this.#replayOf(timeline) };
  }

  /** The part of a cut off region that is in the layer, cell by cell. */
  #regionOf(region) {
    if (!region) return null;
    const { layer } = this;
    if (this.#region.of !== region || this.#region.layer !== layer) {
      const cells = region.runs.flatMap(([x, y, z, n]) => Array.from({ length: n }, (_, i) => layer.inPicture([x + i, y, z])));
      const runs = cells.filter(Boolean).map(([x, y]) => [x, y, 1]);
      this.#region = { of: region, layer, shown: { of: region.of, runs } };
    }
    return this.#region.shown;
  }

  #pathOf(path) {
    const { layer } = this;
    if (this.#path.of !== path || this.#path.layer !== layer) {
      const turned = (path ?? []).map((place) => layer.turned(place));
      this.#path = { of: path, layer, points: pathInLayer(turned, layer.at) };
    }
    return this.#path.points;
  }

  /** The board's own replay is moved by the board. This one tells which cells of the layer look different. */
  #replayOf(timeline) {
    const { layer } = this;
    if (this.#replay?.timeline !== timeline || this.#replay.layer !== layer) {
      const whole = this.#replay?.timeline === timeline ? this.#replay.whole : new Replay(timeline);
      const last = layer.gather(whole.last);
      const moveTo = (step, touch) =>
        whole.moveTo(step, (node) => {
          const cell = layer.cellOf(node);
          if (cell < 0) return;
          last[cell] = whole.last[node];
          touch(cell);
        });
      this.#replay = { timeline, layer, whole, last, moveTo, inspect: (cell) => whole.inspect(layer.indexOf(cell)) };
    }
    return this.#replay;
  }

  #makeActions() {
    const { actions, store } = this.#app;
    const placed = (place) => this.layer.inWorld(place);
    return {
      setStart: (place) => actions.setStart(placed(place)),
      setGoals: (goals) => {
        const elsewhere = store.doc.goals.filter((goal) => !this.layer.inPicture(goal));
        const here = elsewhere.length < store.doc.goals.length;
        actions.setGoals([...goals.map(placed), ...(here ? elsewhere : [])]);
      },
      toggleGoal: (place) => actions.toggleGoal(placed(place)),
      step: (steps) => actions.step(steps),
    };
  }
}
