// One board: a canvas with the map and a search, and a header that names the algorithm.

import { el } from "../dom.js";
import { mountBoardHeader } from "../panels/board-header.js";
import { Pointer } from "../tools/pointer.js";
import { CanvasSize } from "./canvas-size.js";
import { KINDS } from "./kinds.js";
import { palette } from "./palette.js";

const LABEL = "Arrow keys move the cell cursor, Enter paints, plus and minus zoom. Press the question mark for all shortcuts.";

export class BoardView {
  #app;
  #context;
  #ends = [];
  #painter = null;
  #tools = null;
  #kind = null;
  #size;
  #dirty = true;
  #shownStep = -1;

  /** `mountHeader(app, index, element)` fills the header; gives back how to end that. */
  constructor(app, index, mountHeader = mountBoardHeader) {
    this.#app = app;
    this.index = index;
    this.canvas = el("canvas", {
      tabIndex: 0,
      role: "application",
      "aria-label": `Board ${index + 1}. ${LABEL}`,
      "data-board": index,
    });
    this.#context = this.canvas.getContext("2d", { alpha: false });
    const header = el("header", { class: "board-header" });
    this.frame = el("div", { class: "board-frame" }, this.canvas);
    this.element = el("div", { class: "board" }, header, this.frame);
    const endHeader = mountHeader(app, index, header);
    this.pointer = new Pointer(app, this);
    this.canvas.addEventListener("focus", () => app.ui.set({ board: index }));
    this.#size = new CanvasSize(this.canvas, () => {
      this.#dirty = true;
      app.boards?.resized();
    });
    this.#listen();
    this.#ends.push(endHeader);
  }

  /** The painter and tools for the kind of world there is now. */
  get painter() {
    this.#choose();
    return this.#painter;
  }

  get tools() {
    this.#choose();
    return this.#tools;
  }

  #choose() {
    const { kind } = this.#app.store.doc.world;
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.#tools?.cancel();
    const { Painter, Tools } = KINDS[kind];
    this.#painter = new Painter(this.#app, this.index);
    this.#tools = new Tools(this.#app, this.index);
  }

  #listen() {
    const { store, runner, ui, camera, live, crowd, chokes, builder } = this.#app;
    const spoil = () => (this.#dirty = true);
    const mine = (board) => board === this.index && spoil();
    this.#ends = [
      store.on("fields", spoil),
      store.on("cells", (cells) => {
        this.painter.touchPainted?.(cells);
        spoil();
      }),
      ui.on("change", spoil),
      camera.on("change", spoil),
      palette.on("change", spoil),
      live.on("ticked", spoil),
      live.on("state", spoil),
      ...(crowd ? ["told", "state"].map((type) => crowd.on(type, spoil)) : []),
      live.on("knowledge", (news) => news.board === this.index && this.#learn(news)),
      chokes.on("change", spoil),
      builder.on("change", spoil),
      ...["cleared", "began", "progress", "done", "failed"].map((type) => runner.on(type, mine)),
    ];
  }

  /** A planner found something out. */
  #learn({ cells, fresh }) {
    if (fresh) this.painter.invalidate();
    else for (const cell of cells) this.painter.touch(cell);
    this.#dirty = true;
  }

  /** Ends everything that this view listens to. */
  remove() {
    for (const end of this.#ends) end();
    this.#size.remove();
    this.pointer.remove();
    this.element.remove();
  }

  /** The canvas in CSS pixels. */
  get width() {
    return this.#size.width;
  }

  get height() {
    return this.#size.height;
  }

  /** World coordinates of a place on the canvas, in CSS pixels from its upper left corner. */
  toWorld(px, py) {
    const { x, y, scale } = this.#app.camera;
    return [x + (px - this.width / 2) / scale, y + (py - this.height / 2) / scale];
  }

  /** Draws if anything changed; says whether it did. */
  draw(now) {
    const { runner, player } = this.#app;
    const step = player.stepOf(this.index);
    if (!this.#size.check()) return false;
    if (!this.#dirty && step === this.#shownStep) return false;
    this.#dirty = this.painter.isFading?.(now) ?? false;
    this.#shownStep = step;
    const { painter } = this;
    this.#size.apply();
    runner.boards[this.index].replay?.moveTo(step, (node) => painter.touch(node));
    const { width, height, ratio } = this.#size;
    const [left, top] = this.toWorld(0, 0);
    const { scale } = this.#app.camera;
    painter.draw(this.#context, { width, height, ratio, left, top, scale, dark: palette.dark });
    return true;
  }
}
