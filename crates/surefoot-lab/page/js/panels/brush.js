// Painting on grids: terrain, size, shape, and the tools for start, goals and links.

import { FLOOR, WALL } from "../core/world.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { mountBuilding } from "./building.js";
import { terrainSample } from "./legend.js";
import { showShare } from "./slider.js";

/** Tools marked `weighted` do not apply where cells are only solid or open, those marked `places` not in crowds. */
const TERRAINS = [
  { cost: WALL, name: "Wall", key: "W" },
  { cost: FLOOR, name: "Floor", key: "E" },
  { cost: 4, name: "Grass", note: "4", weighted: true },
  { cost: 10, name: "Water", note: "10", weighted: true },
];
const SHAPES = [
  { tool: "brush", name: "Brush" },
  { tool: "line", name: "Line" },
  { tool: "rectangle", name: "Rectangle" },
  { tool: "fill", name: "Fill" },
];
const MARKS = [
  { tool: "start", name: "Start", key: "S", places: true },
  { tool: "goal", name: "Goal", key: "T", places: true },
  { tool: "link", name: "Link", key: "L", weighted: true },
  { tool: "building", name: "Building", key: "B", weighted: true },
];
const LARGEST_COST = 255;
const LARGEST_SIZE = 9;

/** Chooses what to paint with; places and links are put down for it. */
export function chooseCost(ui, cost) {
  const paints = SHAPES.some(({ tool }) => tool === ui.tool);
  ui.set({ cost, ...(paints ? {} : { tool: "brush" }) });
}

/** Fills the brush section. */
export function mountBrush(app, element) {
  const { ui } = app;
  const updates = [];
  const pressed = (button, test) =>
    updates.push(() => button.setAttribute("aria-pressed", `${test()}`)) && button;
  const paints = () => SHAPES.some(({ tool }) => tool === ui.tool);

  const terrains = TERRAINS.map(({ cost, name, key, note, weighted }) => {
    const label = el("span", { class: "name" }, name);
    const properties = {
      type: "button",
      class: weighted ? "terrain for-costs" : "terrain",
      title: `Paint ${name.toLowerCase()}${note ? `, cost ${note}` : ""}`,
    };
    const hint = key ? el("kbd", {}, key) : el("span", { class: "hint" }, note);
    const button = el(
      "button",
      { ...properties, onclick: () => chooseCost(ui, cost) },
      terrainSample(cost),
      label,
      hint,
    );
    return pressed(button, () => paints() && ui.cost === cost);
  });

  const tool = ({ tool, name, key, weighted = false, places = false }) => {
    const act = () => ui.set({ tool });
    const title = key ? `${name} (${key})` : name;
    const button = el(
      "button",
      { type: "button", title, class: weighted ? "for-costs" : places ? "for-places" : null, onclick: act },
      icon(tool),
      el("span", { class: "name" }, name),
    );
    return pressed(button, () => ui.tool === tool);
  };
  const shapes = SHAPES.map(tool);
  for (const [at, button] of shapes.entries()) button.setAttribute("aria-label", SHAPES[at].name);

  const cost = numberAndRange("Cost", 1, LARGEST_COST, (value) => chooseCost(ui, value));
  const size = numberAndRange("Size", 1, LARGEST_SIZE, (value) => ui.set({ size: value }));
  cost.row.classList.add("for-costs");
  cost.row.title = "Cost of stepping onto the cell; plain floor costs 1";
  size.row.title = "Brush width in cells";
  updates.push(() => cost.show(ui.cost === WALL ? null : ui.cost));
  updates.push(() => size.show(ui.size));

  const building = el("div", { class: "section-body building" });
  mountBuilding(app, building);
  fill(
    element,
    el("div", { class: "terrains", role: "group", "aria-label": "Terrain" }, terrains),
    cost.row,
    size.row,
    el("div", { class: "segments shapes", role: "group", "aria-label": "Shape" }, shapes),
    el("div", { class: "marks", role: "group", "aria-label": "Places" }, MARKS.map(tool)),
    building,
  );
  const update = () => updates.forEach((each) => each());
  ui.on("change", (names) => ["tool", "cost", "size"].some((name) => names.has(name)) && update());
  update();
}

/** A number with a slider; both say the same. */
export function numberAndRange(name, min, max, act) {
  const id = `brush-${name.toLowerCase()}`;
  const take = (input) => {
    const value = Math.round(Number(input.value));
    if (input.value !== "" && value >= min && value <= max) act(value);
  };
  const number = el("input", { type: "number", id, min, max, step: 1, inputMode: "numeric" });
  const range = el("input", { type: "range", min, max, step: 1, "aria-label": `${name}, slider` });
  number.addEventListener("input", () => take(number));
  range.addEventListener("input", () => take(range));
  const label = el("label", { for: id }, name);
  const row = el("div", { class: "row narrow" }, label, el("div", { class: "with-range" }, range, number));
  const show = (value) => {
    if (document.activeElement !== number || Number(number.value) !== value) number.value = value ?? "";
    number.placeholder = value === null ? "wall" : "";
    range.value = value ?? min;
    showShare(range);
  };
  return { row, show };
}
