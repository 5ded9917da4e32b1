// What to see of a voxel world, and from where.

import { el, fill } from "../dom.js";
import { showShare } from "../panels/slider.js";
import { axisChoice, layerSlider } from "./slice-editor.js";

const CELLS = [
  ["surface", "Surface", "All solid cells"],
  ["slice", "Slice", "Solid cells up to a layer, with the inside visible"],
  ["search", "Search", "Only the path and the cells visited by the search or by the unit’s last plan"],
];
const OBSTACLES = [
  ["shapes", "Shapes", "Moving obstacles as shapes"],
  ["cells", "Cells", "The cells that moving obstacles cover"],
];
const CAMERAS = [
  ["orbit", "Orbit", "Drag to orbit around the world"],
  ["fly", "Fly", "Drag to look around; fly with W, A, S, D, Q and E"],
];

/** Fills the section of the 3D view. */
export function mountSpacePanel(app, element) {
  const { ui, space, store } = app;
  const updates = [];
  const choices = (name, options, isChosen, choose) => {
    const buttons = options.map(([value, text, title]) => {
      const button = el("button", { type: "button", title, onclick: () => choose(value) }, text);
      updates.push(() => button.setAttribute("aria-pressed", `${isChosen(value)}`));
      return button;
    });
    return el("div", { class: "segments", role: "group", "aria-label": name }, buttons);
  };
  const cells = choices("Cells", CELLS, (value) => ui.cells === value, (value) => ui.set({ cells: value }));
  const slider = layerSlider(app, () => ui.axis, "Slice at");
  const slicing = el("div", { class: "slicing" }, axisChoice(app).element, slider.element);
  updates.push(() => (slicing.hidden = ui.cells !== "slice"));
  const shapes = choices(
    "Obstacles",
    OBSTACLES,
    (value) => ui.obstacles === value,
    (value) => ui.set({ obstacles: value }),
  );
  const moving = el("div", { class: "row" }, el("span", {}, "Obstacles"), shapes);
  updates.push(() => (moving.hidden = !store.doc.scene));
  const foresight = forecastRow(app);
  updates.push(foresight.update);
  const camera = choices(
    "Camera",
    CAMERAS,
    (value) => space.camera.mode === value,
    (mode) => space.camera.set({ mode }),
  );
  const button = (text, title, onclick) => el("button", { type: "button", class: "outlined", title, onclick }, text);
  const fit = button("Fit", "Show everything (0)", () => app.fit());
  const editor = button("Slice editor", "Paint the world layer by layer along any axis", () =>
    ui.set({ sliceEditor: !ui.sliceEditor }),
  );
  updates.push(() => editor.setAttribute("aria-pressed", `${ui.sliceEditor}`));
  const eye = el("div", { class: "camera-row" }, camera, fit);
  fill(element, cells, slicing, moving, foresight.element, eye, el("div", { class: "buttons" }, editor));
  const update = () => updates.forEach((each) => each());
  ui.on("change", (names) => ["cells", "sliceEditor", "obstacles", "forecast", "ahead"].some((name) => names.has(name)) && update());
  store.on("fields", (names) => names.has("scene") && update());
  space.camera.on("change", update);
  update();
}

/** Whether to show the cells that obstacles will cover, and how far ahead. */
function forecastRow({ ui, store }) {
  const box = el("input", { type: "checkbox", onchange: () => ui.set({ forecast: box.checked }) });
  const title = "The cells that moving obstacles will cover; planners avoid them. Blocks that appear are shown half a second early.";
  const label = el("label", { class: "check", title }, box, "Forecast");
  const range = el("input", { type: "range", min: 0, max: 0.5, step: 0.1, "aria-label": "Seconds ahead" });
  range.addEventListener("input", () => ui.set({ ahead: Math.round(10 * Number(range.value)) / 10 }));
  const words = el("output", { class: "forecast-time" });
  const slider = el("div", { class: "layer-slider" }, range, words);
  const element = el("div", { class: "row" }, label, slider);
  const update = () => {
    element.hidden = !store.doc.scene;
    box.checked = ui.forecast;
    slider.classList.toggle("off", !ui.forecast);
    range.disabled = !ui.forecast;
    range.value = `${ui.ahead}`;
    words.textContent = `${ui.ahead.toFixed(1)} s`;
    range.setAttribute("aria-valuetext", `${ui.ahead.toFixed(1)} seconds ahead`);
    showShare(range);
  };
  return { element, update };
}
