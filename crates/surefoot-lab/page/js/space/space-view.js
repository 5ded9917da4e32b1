// One board of a world in three dimensions: a canvas with the scene, and a header that names the algorithm.

import { CanvasSize } from "../board/canvas-size.js";
import { palette } from "../board/palette.js";
import { el } from "../dom.js";
import { mountBoardHeader } from "../panels/board-header.js";
import { axisEdges } from "./axes.js";
import { Frames } from "./frames.js";
import { frustum, meetsBox } from "./matrix.js";
import { SpaceRenderer } from "./renderer.js";
import { SpacePointer } from "./space-pointer.js";
import { listenToKeys } from "./space-keys.js";

const LABEL = [
  "Arrow keys rotate the view; with Shift they pan.",
  "W, A, S and D fly, Q and E move down and up, plus and minus zoom, 0 shows everything.",
].join(" ");
const AXES = ["x", "y", "z"];
/** How far from the box the names of its axes are, as a share of its diagonal. */
const LABEL_GAP = 0.02;
/** The number of hits of a unit that are shown, the last ones. */
const MOST_HITS = 50;
/** What a name takes on each side, in CSS pixels. */
const LABEL_ROOM = 10;

/** A coordinate on a board of a size; near the rim moved inwards, since around small worlds there is less room than a name takes. */
function onRim(value, size) {
  const isNear = value > -LABEL_ROOM && value < size + LABEL_ROOM;
  return isNear ? Math.min(Math.max(value, LABEL_ROOM), size - LABEL_ROOM) : value;
}

export class SpaceView {
  #app;
  #size;
  #renderer = null;
  #frames = null;
  #ends = [];
  #labels;
  #lost;
  #dirty = true;
  #shownStep = -1;
  /** What the last frame showed: `{faces, complete}`; complete if there is nothing to add to it. */
  drawn = { faces: 0, complete: true };

  constructor(app, index) {
    this.#app = app;
    this.index = index;
    this.canvas = el("canvas", {
      tabIndex: 0,
      role: "application",
      "aria-label": `Board ${index + 1}, 3D. ${LABEL}`,
      "data-board": index,
    });
    this.#labels = AXES.map((name) =>
      el("span", { class: "axis-label", "aria-hidden": "true", "data-axis": name }, name),
    );
    const back = el("button", { type: "button", class: "outlined", onclick: () => app.fit() }, "Show everything");
    this.#lost = el("div", { class: "space-lost", hidden: true }, el("p", {}, "The world is out of view."), back);
    const header = el("header", { class: "board-header" });
    this.frame = el("div", { class: "board-frame" }, this.canvas, this.#labels, this.#lost);
    this.element = el("div", { class: "board space" }, header, this.frame);
    const endHeader = mountBoardHeader(app, index, header);
    this.#startRenderer();
    this.pointer = new SpacePointer(app, this);
    this.canvas.addEventListener("focus", () => app.ui.set({ board: index }));
    this.#size = new CanvasSize(this.canvas, () => {
      this.#dirty = true;
      app.boards?.resized();
    });
    this.#ends = [endHeader, listenToKeys(app, this.canvas), ...this.#listen()];
  }

  /** What gestures can be cancelled with, as on other boards. */
  get tools() {
    return this.pointer;
  }

  get width() {
    return this.#size.width;
  }

  get height() {
    return this.#size.height;
  }

  /** Whether there is anything to draw with. */
  get isDrawn() {
    return this.#renderer !== null;
  }

  #startRenderer() {
    try {
      this.#renderer = new SpaceRenderer(this.canvas);
      this.#frames = new Frames(this.#renderer, this.#app.space.camera);
    } catch (error) {
      this.frame.append(
        el(
          "div",
          { class: "space-missing", role: "note" },
          el("p", {}, `The scene cannot be drawn: ${error.message}.`),
          el("p", {}, "Searches still run, and the slice editor still shows and paints the world layer by layer."),
        ),
      );
      return;
    }
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.#renderer.restore();
      this.#frames.reset();
      this.#dirty = true;
    });
  }

  #listen() {
    const { store, runner, ui, space, live } = this.#app;
    const spoil = () => (this.#dirty = true);
    const mine = (board) => board === this.index && spoil();
    return [
      store.on("fields", spoil),
      store.on("cells", () => {
        this.#renderer?.spoil();
        spoil();
      }),
      ui.on("change", spoil),
      space.camera.on("change", spoil),
      palette.on("change", spoil),
      live.on("ticked", spoil),
      live.on("state", spoil),
      live.on("touched", mine),
      ...["cleared", "began", "progress", "done", "failed"].map((type) => runner.on(type, mine)),
    ];
  }

  remove() {
    for (const end of this.#ends) end();
    this.#size.remove();
    this.pointer.remove();
    this.#renderer?.release();
    this.element.remove();
  }

  /** The ray through a place on the canvas, in CSS pixels from its upper left corner. */
  ray(x, y) {
    return this.#app.space.camera.ray(x, y, this.width, this.height);
  }

  /** Draws if anything changed; says whether it did. */
  draw(now) {
    const { runner, player } = this.#app;
    const step = player.stepOf(this.index);
    const run = runner.boards[this.index];
    if (!this.#size.check() || this.#renderer?.isLost) return false;
    if (step !== this.#shownStep) this.#dirty = true;
    if (!this.#dirty && (this.#frames?.isAtRest(now) ?? true)) return false;
    this.#shownStep = step;
    // The scene needs no replay, the inspector does.
    run.replay?.moveTo(step, () => {});
    if (!this.#renderer) return (this.#dirty = false);
    const drawn = this.#frames.next(now, this.#dirty, this.#size, () => this.#begin(run, step));
    if (typeof drawn === "string") {
      this.drawn = { ...this.drawn, complete: false };
      return drawn === "draws";
    }
    this.drawn = { faces: drawn.faces, complete: drawn.complete && !this.#dirty };
    this.#dirty ||= !drawn.isWhole || this.#isMoving();
    this.#placeLabels();
    this.#tellIfLost();
    return true;
  }

  /** A frame begins: what it shows. */
  #begin(run, step) {
    this.#dirty = false;
    this.#size.apply();
    return this.#shown(run, step);
  }

  #isMoving() {
    const { live, store } = this.#app;
    return live.movement?.world === store.doc.world && live.movement.isMoving();
  }

  /** The scene as a PNG. */
  async picture() {
    if (!this.#renderer) throw new Error("This browser cannot draw the scene, so there is no picture. Export a drawing instead.");
    // A canvas keeps its picture until the page is shown: both have to happen at once.
    const { runner, player } = this.#app;
    const shown = this.#begin(runner.boards[this.index], player.stepOf(this.index));
    this.#frames.drawNow(this.#size, shown);
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  /** What there is to see. */
  #shown({ timeline, result }, step) {
    const { store, ui } = this.#app;
    const { world, start, goals, boards } = store.doc;
    const atEnd = result !== null && (!timeline || step >= timeline.steps);
    const searched = ui.aid ? timeline : null;
    const current = searched && !atEnd ? timeline.nodeOfStep(step) : -1;
    const place = (node) => (node >= 0 && node < world.nodeCount ? world.place(node) : null);
    return {
      ...this.#moving(world),
      world,
      cells: ui.cells,
      slice: { axis: ui.axis, at: ui.layers[ui.axis] },
      timeline: searched,
      events: searched ? timeline.eventsAt(Math.min(step, timeline.steps)) : 0,
      jumps: ui.jumps,
      region: atEnd ? (result.region?.runs ?? null) : null,
      current: place(current),
      path: atEnd ? result.path : null,
      touched: null,
      forecast: this.#forecast(world),
      unit: null,
      hits: [],
      trail: null,
      board: this.index,
      start,
      goals,
      ...this.#flying(),
      radius: boards[this.index].radius ?? 0,
      marked: place(ui.inspected),
      layer: ui.sliceEditor ? { axis: ui.axis, at: ui.layers[ui.axis] } : null,
    };
  }

  /** What moves, as it is now. */
  #moving(world) {
    const { live, ui } = this.#app;
    const movement = live.movement?.world === world ? live.movement : null;
    return { movement, poses: movement?.poses(performance.now()) ?? null, obstacles: ui.obstacles };
  }

  /** The cells that obstacles will cover; in no time these are the ones that they cover. */
  #forecast(world) {
    const { live, ui, store } = this.#app;
    if (!ui.forecast || !store.doc.scene || live.movement?.world !== world) return null;
    const { movement, flight } = live;
    if (ui.ahead === 0) return { of: movement, version: movement.version, cells: movement.cells.subarray(0, movement.count) };
    return flight.forecast && { of: flight.forecast, cells: flight.forecast };
  }

  /** While units fly: position, path and target, in cells. */
  #flying() {
    const { live, ui } = this.#app;
    const unit = live.units[this.index];
    if (!unit || !live.active || !live.flight) return {};
    const now = performance.now();
    const corner = (place) => place.map((value) => value - 0.5);
    const start = corner(live.flight.placeOf(unit, now));
    const { ahead } = unit;
    return {
      start,
      goals: [corner(live.flight.targetPlace(live.target, now))],
      path: ahead.length > 0 ? [start, ...ahead] : null,
      trail: live.replay?.line ?? unit.trail,
      unit,
      hits: (live.hits.lists[this.index] ?? []).slice(-MOST_HITS).map(({ at }) => at),
      touched: ui.cells === "search" ? unit.touched : null,
    };
  }

  /** Shows a hint on how to return when the world is out of view. */
  #tellIfLost() {
    const { space, store } = this.#app;
    const planes = frustum(space.camera.matrix(this.width / this.height));
    this.#lost.hidden = meetsBox(planes, [0, 0, 0], store.doc.world.size);
  }

  /** The names of the axes stand at their far ends. */
  #placeLabels() {
    const { space, store } = this.#app;
    const { size } = store.doc.world;
    const gap = LABEL_GAP * Math.hypot(...size);
    const edges = axisEdges(size, space.camera, this.width, this.height);
    this.#labels.forEach((label, axis) => {
      const [, end] = edges[axis];
      const point = end.map((value, i) => (i === axis ? value + gap : value + Math.sign(value - size[i] / 2) * gap));
      const at = space.camera.onScreen(point, this.width, this.height);
      label.hidden = at === null;
      if (!at) return;
      const [x, y] = [onRim(at[0], this.width), onRim(at[1], this.height)];
      label.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    });
  }
}
