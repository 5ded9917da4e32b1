// All boards side by side, in step with the document.

import { BoardView } from "./board.js";
import { mountHint } from "./hint.js";
import { Meter } from "./meter.js";

/** CSS pixels around a cell that is brought into view. */
const MARGIN = 24;

export class BoardSet {
  #app;
  #element;
  /** The camera after the last fit, to notice whether someone moved it since. */
  #fitted = null;
  /** One for each board of the document. */
  views = [];
  /** What drawing costs. */
  meter = new Meter();

  constructor(app, element) {
    this.#app = app;
    this.#element = element;
    app.runner.on("boards", () => this.#match());
    this.#match();
    mountHint(app, this.views[0].frame);
  }

  #match() {
    const wanted = this.#app.store.doc.boards.length;
    while (this.views.length < wanted) {
      const view = new BoardView(this.#app, this.views.length);
      this.views.push(view);
      this.#element.append(view.element);
    }
    for (const view of this.views.splice(wanted)) view.remove();
    this.#element.dataset.count = wanted;
  }

  /** Shows the whole world. */
  fit() {
    const { camera, store } = this.#app;
    const { width, height } = this.views[0];
    camera.fit(store.doc.world.bounds(), width, height);
    this.#fitted = { x: camera.x, y: camera.y, scale: camera.scale };
  }

  /** Whether the whole world is shown and nobody moved the camera since. */
  get isFitted() {
    const { camera } = this.#app;
    const fitted = this.#fitted;
    return fitted !== null && fitted.x === camera.x && fitted.y === camera.y && fitted.scale === camera.scale;
  }

  /** A board got another size: what was fitted stays fitted. */
  resized() {
    if (this.isFitted) this.fit();
  }

  /** Zooms around the middle of the boards. */
  zoomBy(factor) {
    this.#app.camera.glide(Math.log(factor));
  }

  /** Moves the picture so that a node can be seen. */
  ensureVisible(node) {
    const { camera, store } = this.#app;
    const { world } = store.doc;
    const { width, height } = this.views[this.#app.ui.board] ?? this.views[0];
    const isGrid = world.kind === "grid";
    const [x, y] = isGrid ? world.place(node) : world.nodes[node];
    const middle = isGrid ? 0.5 : 0;
    const off = (value, centre, room) => {
      const from = (value + middle - centre) * camera.scale;
      const most = Math.max(room / 2 - MARGIN - (camera.scale / 2), 0);
      return from - Math.min(Math.max(from, -most), most);
    };
    const dx = off(x, camera.x, width);
    const dy = off(y, camera.y, height);
    if (dx !== 0 || dy !== 0) camera.pan(-dx, -dy);
  }

  /** Uses the tool in hand on a node, as a click would: for the keyboard. */
  useTool(node, { erase = false, shift = false, ctrl = false } = {}) {
    const { ui, store } = this.#app;
    const { world } = store.doc;
    const [x, y] = world.kind === "grid" ? world.place(node).map((value) => value + 0.5) : world.nodes[node];
    const { tools } = this.views[ui.board];
    const at = { x, y, node, button: erase ? 2 : 0, shift, ctrl, alt: false, board: ui.board, touch: false };
    tools.down(at);
    tools.up(at);
  }

  /** Called once a frame. */
  draw(now) {
    this.#app.camera.tick(now);
    const from = performance.now();
    let drew = false;
    for (const view of this.views) drew = view.draw(now) || drew;
    if (drew) this.meter.add(performance.now() - from);
  }
}
