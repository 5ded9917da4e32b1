// All boards side by side, in step with the document.

import { SpaceView } from "../space/space-view.js";
import { BoardView } from "./board.js";
import { Meter } from "./meter.js";

/** CSS pixels around a cell that is brought into view. */
const MARGIN = 24;

const isSpace = ({ store }) => store.doc.world.kind === "voxel";

/** The view of a board for the world there is. */
const viewOf = (app, index) => (isSpace(app) ? new SpaceView(app, index) : new BoardView(app, index));

export class BoardSet {
  #app;
  #element;
  #makeView;
  #hint;
  /** What stands beside the boards, or null. */
  #beside = null;
  /** Whether the views are those of worlds in three dimensions. */
  #inSpace;
  /** The view after the last fit, to detect whether the camera has been moved since. */
  #fitted = null;
  /** One for each board of the document. */
  views = [];
  /** What drawing costs. */
  meter = new Meter();

  /** `hint`, if given, is an element over the first board. */
  constructor(app, element, { makeView = viewOf, hint = null } = {}) {
    this.#app = app;
    this.#element = element;
    this.#makeView = makeView;
    this.#hint = hint;
    this.#inSpace = isSpace(app);
    app.runner.on("boards", () => this.#match());
    app.store.on("fields", (names) => names.has("world") && isSpace(app) !== this.#inSpace && this.#match());
    this.#match();
  }

  #match() {
    const wanted = this.#app.store.doc.boards.length;
    const keeps = isSpace(this.#app) === this.#inSpace;
    this.#inSpace = isSpace(this.#app);
    for (const view of this.views.splice(keeps ? wanted : 0)) view.remove();
    while (this.views.length < wanted) this.views.push(this.#makeView(this.#app, this.views.length));
    for (const { element } of this.views) if (!element.isConnected) this.#element.append(element);
    if (this.#hint) this.views[0].frame.append(this.#hint);
    this.putBeside(this.#beside);
  }

  /** Puts an element beside the boards, as large as one of them; null for none. */
  putBeside(element) {
    if (element !== this.#beside) this.#beside?.remove();
    this.#beside = element;
    if (element) this.#element.append(element);
    this.#element.dataset.count = this.views.length + (element ? 1 : 0);
  }

  /** Shows the whole world. */
  fit() {
    const { camera, space, store } = this.#app;
    const { width, height } = this.views[0];
    if (this.#inSpace) space.camera.fit(store.doc.world.size, width, height);
    else camera.fit(store.doc.world.bounds(), width, height);
    this.#fitted = this.#look();
  }

  /** What the camera shows, as a text. */
  #look() {
    const { camera, space } = this.#app;
    if (!this.#inSpace) return [camera.x, camera.y, camera.scale].join();
    return [...space.camera.target, space.camera.distance, space.camera.yaw, space.camera.pitch].join();
  }

  /** Whether the whole world is shown and the camera has not been moved since. */
  get isFitted() {
    return this.#fitted === this.#look();
  }

  /** A board got another size: what was fitted stays fitted. */
  resized() {
    if (this.isFitted) this.fit();
  }

  /** Zooms around the middle of the boards. */
  zoomBy(factor) {
    const { camera, space } = this.#app;
    (this.#inSpace ? space.camera : camera).glide(Math.log(factor));
  }

  /** Moves the picture so that a node can be seen. */
  ensureVisible(node) {
    const { camera, store } = this.#app;
    const { world } = store.doc;
    const { width, height } = this.views[this.#app.ui.board] ?? this.views[0];
    const [x, y] = world.middle(node);
    const off = (value, centre, room) => {
      const from = (value - centre) * camera.scale;
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
    const [x, y] = world.middle(node);
    const { tools } = this.views[ui.board] ?? this.views[0];
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
