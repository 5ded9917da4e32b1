// A building in hand: its ghost follows the pointer and says how it would change the paths on the map.

import { Emitter } from "../core/emitter.js";
import { Question, agentOf } from "../core/question.js";
import { WALL } from "../core/world.js";
import { reasonOf } from "../panels/words.js";
import { footprint } from "./shapes.js";

/** The longest and shortest side, in cells. */
export const LARGEST_SIDE = 5;
/** Paths that get longer by less than this, in cells, are as long as before. */
const NEARLY = 1e-3;
const MOST_PAIRS = 16;

/** Events: `change`. */
export class Builder extends Emitter {
  /**
   * `{box, cells, state, words}`: cells are indices, the state is "asking", "free", "longer", "cut", "taken" or, if
   * the server does not say, "unknown"; null if there is nothing in hand or nowhere to put it.
   */
  ghost = null;
  #app;
  #question;
  /** Whether to build as soon as the answer is there. */
  #waiting = false;
  /** The box for which a warning was shown. */
  #warned = "";

  constructor(app) {
    super();
    this.#app = app;
    const { ui, store, live, connection } = app;
    this.#question = new Question((advice, content) => this.#send(advice, content));
    const names = ["tool", "hovered", "cursor", "board", "buildingWidth", "buildingHeight"];
    ui.on("change", (changed) => names.some((name) => changed.has(name)) && this.#follow());
    store.on("change", () => this.#ask());
    live.on("state", () => this.#ask());
    live.on("ticked", () => this.ghost && this.#pairsKey() !== this.ghost.pairs && this.#ask());
    connection.on("message", (message) => this.#receive(message));
    connection.on("open", () => this.#question.giveUp());
  }

  /** Builds. A building that would block the only path is built at the second request, or with `force`. */
  build(force = false) {
    const { ghost } = this;
    if (!ghost) return;
    if (ghost.state === "asking" && !force) {
      this.#waiting = true;
      return;
    }
    this.#waiting = false;
    if (ghost.state === "taken") return this.#app.notify(`${ghost.words}.`);
    const key = JSON.stringify(ghost.box);
    if (ghost.state === "cut" && !force && this.#warned !== key) {
      this.#warned = key;
      this.#app.notify(`${ghost.words}. Click again, or Shift-click, to build anyway.`);
      return;
    }
    this.#warned = "";
    this.#app.store.paint("building", ghost.cells, WALL);
    this.#app.announce("Building placed");
  }

  /** The ghost goes where the pointer or the cell cursor is. */
  #follow() {
    const { ui, store } = this.#app;
    const { world } = store.doc;
    const node = ui.tool === "building" && world.kind === "grid" ? ui.inspected : -1;
    if (!(node >= 0 && node < world.nodeCount)) return this.#show(null);
    const box = this.#boxAt(...world.place(node));
    if (this.ghost && JSON.stringify(box) === JSON.stringify(this.ghost.box)) return;
    this.#waiting = false;
    this.#show({ box, cells: boxCells(world, box), state: "asking", words: "" });
    this.#ask();
  }

  #show(ghost) {
    if (ghost === this.ghost) return;
    this.ghost = ghost;
    this.emit("change");
  }

  /** The cells around one, kept inside the map. */
  #boxAt(x, y) {
    const { ui, store } = this.#app;
    const { world } = store.doc;
    const side = (at, length, most) => {
      const size = Math.min(length, most);
      const { left } = footprint(at, 0, size);
      const first = Math.min(Math.max(left, 0), most - size);
      return [first, first + size];
    };
    const [left, right] = side(x, ui.buildingWidth, world.width);
    const [top, bottom] = side(y, ui.buildingHeight, world.height);
    return { left, top, right, bottom };
  }

  /** What must stay joined: units and the target, or start and goals. */
  #pairs() {
    const { live, store } = this.#app;
    const { start, goals } = store.doc;
    if (!live.active) return start ? goals.slice(0, MOST_PAIRS).map((goal) => [start, goal]) : [];
    const distinct = new Map(live.units.map(({ cell }) => [`${cell}`, cell]));
    return [...distinct.values()].map((cell) => [cell, live.target]);
  }

  #pairsKey() {
    return JSON.stringify(this.#pairs());
  }

  #ask() {
    const { ghost } = this;
    if (!ghost) return;
    const { store, ui, live } = this.#app;
    const { world, boards } = store.doc;
    const pairs = this.#pairs();
    ghost.pairs = JSON.stringify(pairs);
    const isTaken = (place) => ghost.cells.includes(world.indexOf(place));
    if (pairs.flat().some(isTaken)) {
      const words = live.active ? "The unit or the target is in the way" : "The start or a goal is in the way";
      return this.#show({ ...ghost, state: "taken", words });
    }
    const agent = agentOf(boards[Math.min(ui.board, boards.length - 1)]);
    this.#question.ask({ box: ghost.box, cells: ghost.cells, pairs, agent });
  }

  #send(advice, { cells, pairs, agent }) {
    const { runner, connection, store } = this.#app;
    const places = cells.map((cell) => store.doc.world.place(cell));
    runner.flush();
    connection.send({ type: "advise", advice, footprint: places, pairs, agent });
  }

  #receive({ type, advice, pairs, board, message }) {
    if (type === "error" && board === null) return this.#fail(message);
    if (type !== "advice") return;
    const isOld = this.#question.isSuperseded;
    const asked = this.#question.answered(advice);
    if (!asked || isOld || asked.box !== this.ghost?.box || this.ghost.state === "taken") return;
    this.#show({ ...this.ghost, ...verdict(pairs) });
    if (this.#waiting) this.build();
  }

  #fail(message) {
    this.#question.giveUp();
    if (this.ghost?.state === "asking") this.#show({ ...this.ghost, state: "unknown", words: `Cannot check this building: ${reasonOf(message)}` });
  }
}

/** What a building does, from the server's answer: `{state, words}`. */
export function verdict(pairs) {
  if (pairs.some((pair) => pair.cut_off)) {
    const words = pairs.length > 1 && !pairs.every((pair) => pair.cut_off) ? "This blocks one of the paths" : "This blocks the only path";
    return { state: "cut", words };
  }
  const open = pairs.filter(({ before, after }) => before !== null && after !== null);
  if (open.length === 0) return { state: "free", words: "There is no path to block" };
  const worst = open.reduce((most, pair) => (longer(pair) > longer(most) ? pair : most));
  const more = longer(worst);
  if (more < NEARLY) return { state: "free", words: "No path gets longer" };
  const share = Math.round((100 * more) / Math.max(worst.before, NEARLY));
  return { state: "longer", words: `+${more.toFixed(2)} longer (${share}%)` };
}

const longer = ({ before, after }) => after - before;

function boxCells(world, { left, top, right, bottom }) {
  const cells = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) cells.push(world.index(x, y));
  return cells;
}
