// What the 3D view has besides its boards: the camera, the slice editor, and the choice of cells to show.

import { SpaceCamera } from "./camera.js";
import { meshesOf } from "./meshes.js";
import { SliceEditor } from "./slice-editor.js";

/** Milliseconds a frame for surfaces that are out of date. */
const WORK = 10;
/** Tools that mean something in voxel worlds. */
const TOOLS = new Set(["brush", "line", "rectangle", "fill", "start", "goal"]);

export class Space {
  #app;
  #editor = null;
  /** The size of the world whose layers are shown. */
  #layersOf = "";
  camera = new SpaceCamera();

  /** Call `mount` once the lab has its boards. */
  constructor(app) {
    this.#app = app;
  }

  get isShown() {
    return this.#app.store.doc.world.kind === "voxel";
  }

  /** The slice editor's lab, for keys that are pressed there. */
  get slice() {
    return this.#editor.app;
  }

  mount() {
    const { store, ui } = this.#app;
    this.#editor = new SliceEditor(this.#app);
    store.on("cells", (cells) => this.isShown && meshesOf(store.doc.world).touch(cells));
    store.on("fields", (names) => names.has("world") && this.#noteWorld());
    ui.on("change", (names) => names.has("sliceEditor") && this.#match());
    this.#noteWorld();
  }

  /** Another world: layers that it does not have are not shown, tools that mean nothing are put down. */
  #noteWorld() {
    if (!this.isShown) return this.#match();
    const { boards, store, ui } = this.#app;
    const { size } = store.doc.world;
    this.camera.measure(size);
    if (this.#layersOf !== size.join()) {
      this.#layersOf = size.join();
      const [x, y, z] = size.map((side) => Math.floor(side / 2));
      ui.set({ layers: [x, y, store.doc.start?.[2] ?? z] });
    }
    if (!TOOLS.has(ui.tool)) ui.set({ tool: "brush" });
    // Where no scene can be drawn, layers are what there is.
    if (!boards.views[0].isDrawn) ui.set({ sliceEditor: true });
    return this.#match();
  }

  /** Shows the slice editor or not. */
  #match() {
    const { boards, ui } = this.#app;
    const wanted = this.isShown && ui.sliceEditor;
    const was = this.#editor.isShown;
    boards.putBeside(wanted ? this.#editor.element : null);
    if (wanted && !was) this.#editor.fit();
  }

  /** Shows the whole world in the slice editor too. */
  fit() {
    if (this.#editor.isShown) this.#editor.fit();
  }

  /** Called once a frame, before boards are drawn. */
  frame(now) {
    if (!this.isShown) return;
    this.camera.tick(now);
    meshesOf(this.#app.store.doc.world).work(WORK, this.camera.eye);
    if (this.#editor.isShown) this.#editor.draw(now);
  }
}
