// Mouse, pen, fingers and wheel on a 3D board: turning, moving, zooming, pointing at cells, dragging start and goals.

import { onceAFrame } from "../panels/frame.js";
import { Pointers } from "../tools/pointers.js";
import { castBall, castRay } from "./pick.js";

/** CSS pixels that a press may tremble and still be a click. */
const TREMBLE = 5;
/** The ends of a path as balls: cells, and CSS pixels at least, for a mouse and for a finger. */
const END_RADIUS = 0.5;
const REACH = 10;
const REACH_OF_FINGER = 20;

export class SpacePointer {
  #app;
  #view;
  #canvas;
  #pointers;
  /** null, "turn", "pan", "pinch" or "drag" (of start or goal). */
  #mode = null;
  #pressedAt = null;
  #moved = false;
  #grabbed = null;
  #lastHover = null;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    this.#canvas = view.canvas;
    const { camera } = app.space;
    const seen = {
      pan: (dx, dy) => camera.pan(dx, dy, view.height),
      zoom: (factor, x, y) => camera.zoom(factor, x, y, view.height),
      glide: (amount, x, y) => camera.glide(amount, x, y, view.height),
    };
    this.#pointers = new Pointers(app, view, seen, {
      pressed: (event) => this.#pressed(event),
      moved: (event, known) => this.#movedTo(event, known),
      hovered: (event) => event.pointerType !== "touch" && this.#hoverSoon(event),
      released: (event) => this.#released(event),
      lost: () => this.#lost(),
      left: () => this.#leave(),
    });
    this.#pointers.listen("dblclick", (event) => this.#lookAt(event));
  }

  remove() {
    this.cancel();
    this.#pointers.remove();
  }

  /** Ends a gesture and takes back what it did. */
  cancel() {
    if (this.#mode === "drag") this.#app.store.cancel();
    this.#mode = this.#grabbed = null;
  }

  get #camera() {
    return this.#app.space.camera;
  }

  #rayOf(event) {
    const box = this.#canvas.getBoundingClientRect();
    return this.#view.ray(event.clientX - box.left, event.clientY - box.top);
  }

  /** Whether a cell that is solid is drawn. */
  #showsSolid(x, y, z) {
    const { ui, store, live } = this.#app;
    const { world } = store.doc;
    const isCovered = () => live.movement?.world === world && live.movement.covers(world.index(x, y, z));
    if (ui.cells === "search" || !(world.isSolidAt(x, y, z) || isCovered())) return false;
    return ui.cells !== "slice" || [x, y, z][ui.axis] <= ui.layers[ui.axis];
  }

  /** The cell that is seen along a ray: solid, or marked by the search. -1 for none. */
  #nodeAt(ray) {
    const { ui, store, runner } = this.#app;
    const { world } = store.doc;
    const { replay } = runner.boards[this.#view.index];
    const isMarked = (x, y, z) => {
      if (!ui.aid || !replay || replay.stateOf(world.index(x, y, z)) === 0) return false;
      return ui.cells !== "slice" || [x, y, z][ui.axis] <= ui.layers[ui.axis];
    };
    const hit = castRay(ray, world.size, (x, y, z) => this.#showsSolid(x, y, z) || isMarked(x, y, z));
    return hit ? world.index(...hit.cell) : -1;
  }

  /** The open cell to put something into: before the surface, else at the height of a cell. Null if there is none. */
  #freeCell(ray, height) {
    const { world } = this.#app.store.doc;
    const hit = castRay(ray, world.size, (x, y, z) => this.#showsSolid(x, y, z));
    if (hit) return hit.before;
    const share = (height + 0.5 - ray.origin[2]) / ray.direction[2];
    if (!(share > 0)) return null;
    const cell = ray.origin.map((value, axis) => Math.floor(value + share * ray.direction[axis]));
    cell[2] = height;
    return world.contains(...cell) ? cell : null;
  }

  /** The cells of the ends; while units fly, those of the unit and of the target. */
  get #places() {
    const { store, live } = this.#app;
    if (!live.active) return store.doc;
    return { start: live.units[this.#view.index].cell, goals: [live.target] };
  }

  /** Where the ends are drawn, in cells. */
  get #drawnPlaces() {
    const { live } = this.#app;
    const { start, goals } = this.#places;
    if (live.active) {
      const now = performance.now();
      const { flight, units, target } = live;
      return { start: flight.placeOf(units[this.#view.index], now), goals: [flight.targetPlace(target, now)] };
    }
    const middle = (place) => place.map((value) => value + 0.5);
    return { start: start && middle(start), goals: goals.map(middle) };
  }

  /** The end of the path under the pointer: `{start: true}` or `{goal: index}`, else null. */
  #endAt(event) {
    const { start, goals } = this.#drawnPlaces;
    const ray = this.#rayOf(event);
    const pixels = event.pointerType === "touch" ? REACH_OF_FINGER : REACH;
    const reach = (middle) => {
      const depth = Math.hypot(...middle.map((value, axis) => value - ray.origin[axis]));
      const radius = Math.max(END_RADIUS, pixels / this.#camera.pixelsAt(depth, this.#view.height));
      return castBall(ray, middle, radius);
    };
    const ends = goals.map((place, goal) => ({ goal, at: reach(place) }));
    if (start) ends.push({ start: true, at: reach(start) });
    const [nearest] = ends.sort((a, b) => a.at - b.at);
    return nearest && nearest.at < Infinity ? nearest : null;
  }

  #pressed(event) {
    if (this.#pointers.down.size > 1) {
      this.cancel();
      this.#mode = "pinch";
      return;
    }
    this.#pressedAt = { x: event.clientX, y: event.clientY };
    this.#moved = false;
    const pans = event.button !== 0 || event.shiftKey;
    this.#grabbed = pans ? null : this.#endAt(event);
    this.#mode = pans ? "pan" : this.#grabbed ? "drag" : "turn";
    if (this.#grabbed) this.#app.store.begin(this.#grabbed.start ? "move start" : "move goal");
    this.#showCursor();
  }

  #movedTo(event, known) {
    if (this.#mode === "pinch") {
      this.#pointers.pinch(event, known);
      return;
    }
    const [dx, dy] = [event.clientX - known.x, event.clientY - known.y];
    const { x, y } = this.#pressedAt;
    this.#moved ||= Math.hypot(event.clientX - x, event.clientY - y) >= TREMBLE;
    if (!this.#moved) return;
    if (this.#mode === "turn") this.#camera.turn(dx, dy);
    else if (this.#mode === "pan") this.#camera.pan(dx, dy, this.#view.height);
    else if (this.#mode === "drag") this.#dragTo(event);
  }

  /** Moves the grabbed end to the cell under the pointer. */
  #dragTo(event) {
    const { start, goal } = this.#grabbed;
    const from = start ? this.#places.start : this.#places.goals[goal];
    this.#put(start ? "start" : goal, this.#freeCell(this.#rayOf(event), from[2]));
  }

  /** Puts the start, or a goal of a number, into a cell if that is open. */
  #put(what, cell) {
    const { store, actions } = this.#app;
    const { world } = store.doc;
    const { start, goals } = this.#places;
    const index = world.indexOf(cell);
    if (index < 0 || !world.isOpen(index)) return;
    const isThere = (place) => world.indexOf(place) === index;
    if (what === "start") {
      if (!isThere(start)) actions.setStart(cell);
    } else if (!goals.some(isThere)) {
      actions.setGoals(goals.length > 0 ? goals.with(what, cell) : [cell]);
    }
  }

  #released(event) {
    const mode = this.#mode;
    // After a pinch the last finger does nothing until it is lifted.
    if (mode === "pinch" && this.#pointers.down.size > 0) return;
    this.#mode = this.#grabbed = null;
    if (mode === "drag") this.#app.store.end();
    else if (mode === "turn" && !this.#moved) this.#clicked(event);
    this.#showCursor();
  }

  /** Places start or goal with their tools, else inspects. */
  #clicked(event) {
    const { ui } = this.#app;
    const { start, goals } = this.#places;
    const ray = this.#rayOf(event);
    if (ui.tool === "start") return this.#put("start", this.#freeCell(ray, start?.[2] ?? 0));
    if (ui.tool === "goal") return this.#put(0, this.#freeCell(ray, goals[0]?.[2] ?? 0));
    ui.set({ cursor: this.#nodeAt(ray), hovered: -1, hoveredBoard: this.#view.index });
    return undefined;
  }

  /** Turns around the cell that was pointed at from now on. */
  #lookAt(event) {
    const { world } = this.#app.store.doc;
    const node = this.#nodeAt(this.#rayOf(event));
    if (node >= 0) this.#camera.set({ target: world.place(node).map((value) => value + 0.5) });
  }

  #lost() {
    this.cancel();
    this.#leave();
  }

  #hoverSoon(event) {
    this.#lastHover = event;
    this.#hover();
  }

  #hover = onceAFrame(() => {
    const event = this.#lastHover;
    if (!event || this.#pointers.down.size > 0) return;
    this.#app.ui.set({ hovered: this.#nodeAt(this.#rayOf(event)), hoveredBoard: this.#view.index });
    const places = ["start", "goal"].includes(this.#app.ui.tool);
    this.#canvas.style.cursor = this.#endAt(event) ? "grab" : places ? "cell" : "";
  });

  #leave() {
    this.#lastHover = null;
    this.#app.ui.set({ hovered: -1 });
  }

  #showCursor() {
    this.#canvas.style.cursor = this.#mode ? "grabbing" : "";
  }
}
