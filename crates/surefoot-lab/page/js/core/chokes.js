// The choke cells, each of which is the only connection between parts of the map, while they are shown.

import { Emitter } from "./emitter.js";
import { Question, agentOf } from "./question.js";

/** Events: `change`. */
export class Chokes extends Emitter {
  /** Indices, null while nothing is known. */
  cells = null;
  #store;
  #ui;
  #question;

  constructor({ store, ui, runner, connection }) {
    super();
    this.#store = store;
    this.#ui = ui;
    this.#question = new Question((chokes, agent) => {
      runner.flush();
      connection.send({ type: "chokes", chokes, agent });
    });
    store.on("change", () => this.#ask());
    ui.on("change", (names) => ["chokes", "board"].some((name) => names.has(name)) && this.#ask());
    connection.on("chokes", ({ number, cells }) => this.#take(number, cells));
    connection.on("open", () => this.#lost());
    connection.on("message", ({ type, board }) => type === "error" && board === null && this.#question.giveUp());
  }

  #ask() {
    const { world, boards } = this.#store.doc;
    if (this.#ui.chokes && world.kind === "grid") {
      this.#question.ask(agentOf(boards[Math.min(this.#ui.board, boards.length - 1)]));
    } else if (this.cells) {
      this.cells = null;
      this.emit("change");
    }
  }

  #take(number, cells) {
    if (this.#question.answered(number) === null || !this.#ui.chokes) return;
    this.cells = cells;
    this.emit("change");
  }

  #lost() {
    this.#question.giveUp();
    this.#ask();
  }
}
