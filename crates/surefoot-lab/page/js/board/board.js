// One board: a canvas with the map and a search.

import { el } from "../dom.js";

export class BoardView {
  constructor(app, index) {
    this.app = app;
    this.index = index;
    this.canvas = el("canvas", { tabIndex: 0, "aria-label": "Board" });
    this.element = el("div", { class: "board" }, this.canvas);
  }

  draw() {
    const { canvas, element, app } = this;
    const { store, runner, player, camera } = app;
    const ratio = devicePixelRatio;
    canvas.width = element.clientWidth * ratio;
    canvas.height = element.clientHeight * ratio;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, canvas.width / 2, canvas.height / 2);
    context.scale(camera.scale, camera.scale);
    context.translate(-camera.x, -camera.y);
    const { world, start, goals } = store.doc;
    const run = runner.boards[this.index];
    if (run.replay) run.replay.moveTo(player.stepOf(this.index), () => {});
    const colours = ["#ddd", "#8cf", "#cde"];
    for (let index = 0; index < world.nodeCount; index++) {
      const [x, y] = world.place(index);
      const state = run.replay?.stateOf(index) ?? 0;
      context.fillStyle = world.cost[index] === 0 ? "#333" : colours[state];
      context.fillRect(x, y, 1, 1);
    }
    context.fillStyle = "#d50";
    for (const [x, y] of [start, ...goals]) context.fillRect(x + 0.2, y + 0.2, 0.6, 0.6);
    context.strokeStyle = "#d50";
    context.lineWidth = 0.2;
    context.beginPath();
    for (const [x, y] of run.result?.path ?? []) context.lineTo(x + 0.5, y + 0.5);
    context.stroke();
  }
}
