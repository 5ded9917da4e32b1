// One layer of a voxel world as a grid, so that the 2D board can show and paint it.
//
// Everything that boards and tools ask the lab for is here in the coordinates of the layer; what they do goes to the
// lab in those of the world. Layers lie along z: their cells are side by side in memory.

import { Camera } from "../core/camera.js";
import { FLOOR, GridWorld, WALL } from "../core/world.js";
import { Replay } from "../core/trace.js";
import { pathInLayer } from "./layer-path.js";

const NO_LINKS = [];
/** What there is while the world has no layers. */
const NOTHING = new GridWorld(1, 1);

/** The lab as the slice editor sees it. */
export class SliceApp {
  #app;
  #replay = null;
  /** The world and the layer that `#world` is of. */
  #of = {};
  #world = null;
  /** The path's part in the layer, and what it is of. */
  #path = {};
  /** The same for what is cut off. */
  #region = {};

  constructor(app) {
    this.#app = app;
    const { about, announce, notify, live, chokes, builder } = app;
    Object.assign(this, { about, live, chokes, builder });
    this.announce = (text) => announce(text);
    this.notify = (text) => notify(text);
    this.camera = new Camera();
    this.store = this.#makeStore();
    this.ui = this.#makeUi();
    this.runner = this.#makeRunner();
    this.player = { stepOf: () => app.player.stepOf(app.ui.board), on: (...listening) => app.player.on(...listening) };
    this.actions = this.#makeActions();
  }

  get layer() {
    return this.#app.ui.layers[2];
  }

  get #isNeeded() {
    return this.#app.store.doc.world.kind === "voxel";
  }

  /** The index of the layer's first cell. */
  get #offset() {
    const [width, depth] = this.#app.store.doc.world.size ?? [0, 0];
    return this.layer * width * depth;
  }

  #toLayer = (index) => {
    const cell = index - this.#offset;
    return index >= 0 && cell >= 0 && cell < this.#layerWorld().nodeCount ? cell : -1;
  };

  /** The cells of the layer; they share the memory of the world's. */
  #layerWorld() {
    const { world } = this.#app.store.doc;
    if (!this.#isNeeded) return NOTHING;
    if (this.#of.world !== world || this.#of.layer !== this.layer) {
      const [width, depth] = world.size;
      const from = this.layer * width * depth;
      this.#of = { world, layer: this.layer };
      this.#world = new GridWorld(width, depth, world.cost.subarray(from, from + width * depth));
    }
    return this.#world;
  }

  #makeStore() {
    const slice = this;
    const { store } = this.#app;
    const inLayer = (place) => (place?.[2] === slice.layer ? place.slice(0, 2) : null);
    return {
      get doc() {
        const { start, goals, boards } = store.doc;
        return {
          world: slice.#layerWorld(),
          links: NO_LINKS,
          start: inLayer(start),
          goals: goals.map(inLayer).filter(Boolean),
          boards: [boards[Math.min(slice.#app.ui.board, boards.length - 1)]],
        };
      },
      paint: (label, cells, cost) => {
        const offset = slice.#offset;
        store.paint(label, Uint32Array.from(cells, (cell) => cell + offset), cost === WALL ? WALL : FLOOR);
      },
      begin: (label) => store.begin(label),
      end: () => store.end(),
      cancel: () => store.cancel(),
      on: (type, listener) =>
        store.on(type, (detail) => {
          if (!slice.#isNeeded) return;
          listener(type === "cells" ? Array.from(detail, slice.#toLayer).filter((cell) => cell >= 0) : detail);
        }),
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
            name, worldwide.has(name) && value >= 0 ? value + slice.#offset : value,
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

  /** The part of a cut off region that is in the layer. */
  #regionOf(region) {
    if (!region) return null;
    if (this.#region.of !== region || this.#region.layer !== this.layer) {
      const runs = region.runs.filter(([, , z]) => z === this.layer).map(([x, y, , n]) => [x, y, n]);
      this.#region = { of: region, layer: this.layer, shown: { of: region.of, runs } };
    }
    return this.#region.shown;
  }

  #pathOf(path) {
    const { world } = this.#app.store.doc;
    if (this.#path.of !== path || this.#path.layer !== this.layer || this.#path.world !== world) {
      this.#path = { of: path, layer: this.layer, world, points: pathInLayer(path ?? [], this.layer) };
    }
    return this.#path.points;
  }

  /** The board's own replay is moved by the board. This one tells which cells of the layer look different. */
  #replayOf(timeline) {
    const offset = this.#offset;
    const count = this.#layerWorld().nodeCount;
    if (this.#replay?.timeline !== timeline || this.#replay.offset !== offset) {
      const whole = this.#replay?.timeline === timeline ? this.#replay.whole : new Replay(timeline);
      this.#replay = {
        timeline,
        offset,
        whole,
        last: whole.last.subarray(offset, offset + count),
        moveTo: (step, touch) =>
          whole.moveTo(step, (node) => node >= offset && node < offset + count && touch(node - offset)),
        inspect: (cell) => whole.inspect(cell + offset),
      };
    }
    return this.#replay;
  }

  #makeActions() {
    const { actions, store } = this.#app;
    const placed = (place) => [...place, this.layer];
    return {
      setStart: (place) => actions.setStart(placed(place)),
      setGoals: (goals) => {
        const elsewhere = store.doc.goals.filter((goal) => goal[2] !== this.layer);
        const here = elsewhere.length < store.doc.goals.length;
        actions.setGoals([...goals.map(placed), ...(here ? elsewhere : [])]);
      },
      toggleGoal: (place) => actions.toggleGoal(placed(place)),
      step: (steps) => actions.step(steps),
    };
  }
}
