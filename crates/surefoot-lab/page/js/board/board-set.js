// All boards side by side, in step with the document.

import { BoardView } from "./board.js";

export class BoardSet {
  #app;
  #element;
  /** One for each board of the document. */
  views = [];

  constructor(app, element) {
    this.#app = app;
    this.#element = element;
    app.runner.on("boards", () => this.#match());
    this.#match();
  }

  #match() {
    const wanted = this.#app.store.doc.boards.length;
    while (this.views.length < wanted) {
      const view = new BoardView(this.#app, this.views.length);
      this.views.push(view);
      this.#element.append(view.element);
    }
    for (const view of this.views.splice(wanted)) view.element.remove();
    this.#element.dataset.count = wanted;
  }

  /** Shows the whole world. */
  fit() {
    const { clientWidth, clientHeight } = this.views[0].element;
    this.#app.camera.fit(this.#app.store.doc.world.bounds(), clientWidth, clientHeight);
  }

  draw(now) {
    for (const view of this.views) view.draw(now);
  }
}
