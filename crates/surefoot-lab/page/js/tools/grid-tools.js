// What pointers do on a grid: painting, placing and dragging start and goals, drawing links.

import { FLOOR, WALL } from "../core/world.js";
import { CROWD_TOOLS, crowdGesture } from "./crowd-tools.js";
import { cellsOf, floodCells, rectangleBoxes, strokeBoxes } from "./shapes.js";

/** CSS pixels around a marker in which it can be grabbed, for a mouse and for a finger. */
const REACH = 9;
const REACH_OF_FINGER = 18;
const PLACING = new Set(["start", "goal", "link", "building", ...CROWD_TOOLS]);

export class GridTools {
  #app;
  /** `{move(at), up(at), cancel()}` while a button is down. */
  #gesture = null;

  constructor(app) {
    this.#app = app;
  }

  down(at) {
    this.cancel();
    this.#gesture = this.#begin(at);
    this.#gesture?.move?.(at);
  }

  move(at) {
    this.#gesture?.move?.(at);
  }

  up(at) {
    const gesture = this.#gesture;
    this.#gesture = null;
    gesture?.up?.(at);
  }

  cancel() {
    const gesture = this.#gesture;
    this.#gesture = null;
    gesture?.cancel?.();
  }

  /** Nothing follows the pointer but the frame that the painter draws. */
  hover() {}

  cursorOf(at) {
    const { tool } = this.#app.ui;
    if (this.#gesture?.grabs) return "grabbing";
    if (at && !at.ctrl && this.#grabbed(at)) return "grab";
    return PLACING.has(tool) ? "cell" : "crosshair";
  }

  #begin(at) {
    if (this.#app.crowd?.active) return crowdGesture(this.#app, at, () => this.#beginTool(at));
    return this.#beginTool(at);
  }

  #beginTool(at) {
    const { ui } = this.#app;
    if (at.button === 2) return this.#eraser(at);
    const grabbed = this.#grabbed(at);
    const adds = ui.tool === "goal" && (at.shift || at.ctrl);
    if (grabbed && !adds && !(ui.tool === "link" && at.shift)) return this.#drag(grabbed);
    switch (ui.tool) {
      case "start":
        return this.#drag({ start: true });
      case "goal":
        return adds ? this.#toggleGoal(at) : this.#drag({ goal: this.#places(at.board).goals.length > 1 ? -1 : 0 });
      case "link":
        return this.#link(at);
      case "building":
        this.#app.builder.build(at.shift);
        return null;
      case "line":
        return this.#shape("line", at, (from, to) => strokeBoxes(from, to, ui.size));
      case "rectangle":
        return this.#shape("rectangle", at, (from, to, shift) => rectangleBoxes(from, to, shift, ui.size));
      case "fill":
        return this.#fill(at);
      default:
        return this.#brush(ui.cost, "paint");
    }
  }

  /** Where start and goals of a board are; while units walk, its unit and the target; in crowds nothing that could be moved. */
  #places(board) {
    const { store, live, crowd } = this.#app;
    if (crowd?.active) return { start: null, goals: [] };
    if (!live.active) return store.doc;
    return { start: live.units[board]?.cell ?? null, goals: [live.target] };
  }

  /** Paints cells, but never a wall onto the start, a goal or a unit. */
  #paint(label, cells, cost) {
    const { store, live } = this.#app;
    const { world, start, goals } = store.doc;
    const walking = live.active ? [live.target, ...live.units.map(({ cell }) => cell)] : [];
    const kept = [start, ...goals, ...walking].map((place) => world.indexOf(place));
    const places = new Set(cost === WALL ? kept : []);
    const free = places.size === 0 ? cells : new Uint32Array(cells).filter((cell) => !places.has(cell));
    store.paint(label, free, cost);
  }

  /** A stroke with the brush. */
  #brush(cost, label) {
    const { store, ui } = this.#app;
    let last = null;
    store.begin(label);
    return {
      move: (at) => {
        const here = cellAt(at);
        if (last && last[0] === here[0] && last[1] === here[1]) return;
        const boxes = strokeBoxes(last ?? here, here, ui.size);
        last = here;
        this.#paint(label, cellsOf(store.doc.world, boxes), cost);
      },
      up: () => store.end(),
      cancel: () => store.cancel(),
    };
  }

  /** A line or a rectangle, shown while it is drawn. */
  #shape(label, from, boxesOf) {
    const { store, ui } = this.#app;
    const { cost } = ui;
    const show = (at) => boxesOf(cellAt(from), cellAt(at), at.shift);
    return {
      move: (at) => ui.set({ preview: { kind: "boxes", boxes: show(at), cost } }),
      up: (at) => {
        ui.set({ preview: null });
        this.#paint(label, cellsOf(store.doc.world, show(at)), cost);
      },
      cancel: () => ui.set({ preview: null }),
    };
  }

  #fill(at) {
    const { store, ui } = this.#app;
    if (at.node < 0 || store.doc.world.cost[at.node] === ui.cost) return null;
    this.#paint("fill", floodCells(store.doc.world, at.node), ui.cost);
    return null;
  }

  /** Right button: a link that ends here goes, otherwise cells become floor. */
  #eraser(at) {
    const { store } = this.#app;
    const { world, links } = store.doc;
    const ends = (link) => [link.from, link.to].some((place) => world.indexOf(place) === at.node);
    const rest = links.filter((link) => !ends(link));
    if (rest.length === links.length) return this.#brush(FLOOR, "erase");
    store.change("remove link", { links: rest });
    return null;
  }

  /** What can be grabbed at a place: `{start: true}` or `{goal: index}`, else null. */
  #grabbed(at) {
    const { camera } = this.#app;
    const { start, goals } = this.#places(at.board);
    const reach = Math.max((at.touch ? REACH_OF_FINGER : REACH) / camera.scale, 0.5);
    const distance = (place) => {
      if (!place) return Infinity;
      return Math.max(Math.abs(place[0] + 0.5 - at.x), Math.abs(place[1] + 0.5 - at.y));
    };
    const goal = goals.reduce((best, place, i) => (distance(place) < distance(goals[best]) ? i : best), 0);
    const [toStart, toGoal] = [distance(start), distance(goals[goal])];
    if (Math.min(toStart, toGoal) > reach) return null;
    return toGoal <= toStart ? { goal } : { start: true };
  }

  /** Drags the start or a goal. A goal of -1 is all goals: one takes their place. */
  #drag({ start = false, goal = 0 }) {
    const { store, actions } = this.#app;
    store.begin(start ? "move start" : "move goal");
    let last = -1;
    return {
      grabs: true,
      move: (at) => {
        const { world } = store.doc;
        const { goals, start: startPlace } = this.#places(at.board);
        if (at.node < 0 || at.node === last || !world.isOpen(at.node)) return;
        last = at.node;
        const isAt = (place) => place && world.indexOf(place) === at.node;
        const place = world.place(at.node);
        if (start) {
          if (!isAt(startPlace)) actions.setStart(place);
        } else if (goal < 0 || goals.length === 0) {
          if (goals.length !== 1 || !isAt(goals[0])) actions.setGoals([place]);
        } else if (!goals.some(isAt)) {
          actions.setGoals(goals.with(goal, place));
        }
      },
      up: () => store.end(),
      cancel: () => store.cancel(),
    };
  }

  #toggleGoal(at) {
    const { store, actions } = this.#app;
    if (at.node >= 0 && store.doc.world.isOpen(at.node)) actions.toggleGoal(store.doc.world.place(at.node));
    return null;
  }

  /** A link from one cell to another; with shift it leads one way. */
  #link(from) {
    const { store, ui, about, notify } = this.#app;
    const { world } = store.doc;
    if (from.node < 0 || !world.isOpen(from.node)) return null;
    const make = (at) => ({
      from: world.place(from.node),
      to: world.place(at.node),
      cost: ui.linkCost,
      two_way: !at.shift,
    });
    const fits = (at) => at.node >= 0 && at.node !== from.node && world.isOpen(at.node);
    return {
      move: (at) => ui.set({ preview: fits(at) ? { kind: "link", link: make(at) } : null }),
      up: (at) => {
        ui.set({ preview: null });
        if (!fits(at)) return;
        const { links } = store.doc;
        if (links.length >= about.limits.links) notify(`The lab supports maps with up to ${about.limits.links.toLocaleString("en")} links.`);
        else store.change("add link", { links: [...links, make(at)] });
      },
      cancel: () => ui.set({ preview: null }),
    };
  }
}

/** The column and row that a place is in, also outside the map. */
const cellAt = ({ x, y }) => [Math.floor(x), Math.floor(y)];
