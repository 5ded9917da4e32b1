// The slice editor: the 2D board again, with one layer of a voxel world on it.

import { BoardSet } from "../board/board-set.js";
import { BoardView } from "../board/board.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { showShare } from "../panels/slider.js";
import { SliceApp } from "./slice-app.js";

const LABEL =
  "Slice editor. Arrow keys move the cell cursor, Enter paints, Page Up and Page Down change the layer.";

export class SliceEditor {
  #boards;

  constructor(app) {
    this.app = new SliceApp(app);
    this.element = el("div", { class: "slice-editor" });
    const makeView = (slice, index) => {
      const view = new BoardView(slice, index, (_slice, _index, header) => fillHeader(app, header));
      view.canvas.setAttribute("aria-label", LABEL);
      view.canvas.dataset.slice = "editor";
      return view;
    };
    this.#boards = new BoardSet(this.app, this.element, { makeView });
    this.app.boards = this.#boards;
    app.ui.on("change", (names) => names.has("axis") && this.isShown && this.fit());
  }

  get isShown() {
    return this.element.isConnected;
  }

  fit() {
    this.#boards.fit();
  }

  draw(now) {
    this.#boards.draw(now);
  }
}

/** Goes to a layer, or the nearest there is. */
export function setLayer({ ui, store }, axis, layer) {
  const at = Math.min(Math.max(layer, 0), store.doc.world.size[axis] - 1);
  ui.set({ layers: ui.layers.with(axis, at) });
}

/** A slider for a layer along an axis, with buttons for the layers beside it. */
export function layerSlider(app, axisNow, name) {
  const { ui, store } = app;
  const range = el("input", { type: "range", min: 0, step: 1, "aria-label": name });
  const number = el("output", { class: "layer-number" });
  const act = (layer) => setLayer(app, axisNow(), layer);
  const beside = (title, text, step) => {
    const onclick = () => act(ui.layers[axisNow()] + step);
    return el("button", { type: "button", class: "icon-button", title, "aria-label": title, onclick }, text);
  };
  range.addEventListener("input", () => act(Number(range.value)));
  const [lower, higher] = [beside(`${name}: previous`, "−", -1), beside(`${name}: next`, "+", 1)];
  const show = () => {
    const { world } = store.doc;
    if (world.kind !== "voxel") return;
    const axis = axisNow();
    const most = world.size[axis] - 1;
    range.max = most;
    range.value = ui.layers[axis];
    range.setAttribute("aria-valuetext", `${"xyz"[axis]} ${ui.layers[axis]} of ${most}`);
    showShare(range);
    number.textContent = `${ui.layers[axis]} / ${most}`;
    lower.disabled = ui.layers[axis] === 0;
    higher.disabled = ui.layers[axis] === most;
  };
  const ends = [
    ui.on("change", (names) => (names.has("layers") || names.has("axis")) && show()),
    store.on("fields", (names) => names.has("world") && show()),
  ];
  show();
  const element = el("div", { class: "layer-slider" }, lower, range, higher, number);
  return { element, end: () => ends.forEach((end) => end()) };
}

/** Buttons for the axis along which layers lie. */
export function axisChoice({ ui }) {
  const buttons = ["x", "y", "z"].map((name, axis) => {
    const properties = { type: "button", title: `Layers along ${name}`, onclick: () => ui.set({ axis }) };
    return el("button", properties, name);
  });
  const show = () => buttons.forEach((button, axis) => button.setAttribute("aria-pressed", `${ui.axis === axis}`));
  const end = ui.on("change", (names) => names.has("axis") && show());
  show();
  return { element: el("div", { class: "segments", role: "group", "aria-label": "Axis" }, buttons), end };
}

function fillHeader(app, header) {
  const axis = axisChoice(app);
  const slider = layerSlider(app, () => app.ui.axis, "Layer");
  const name = "Close the slice editor";
  const onclick = () => app.ui.set({ sliceEditor: false });
  fill(
    header,
    el("strong", { class: "board-name" }, "Slice"),
    axis.element,
    slider.element,
    el("button", { type: "button", class: "icon-button", title: name, "aria-label": name, onclick }, icon("close")),
  );
  return () => {
    axis.end();
    slider.end();
  };
}
