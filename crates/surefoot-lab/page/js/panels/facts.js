// The right panel: the inspected cell, the figures of the run, what to show, and the legend.

import { isSketched } from "../core/ui.js";
import { el, fill } from "../dom.js";
import { onceAFrame } from "./frame.js";
import { mountCrowdUnit } from "./crowd-unit.js";
import { mountInspector } from "./inspector.js";
import { mountLegend } from "./legend.js";
import { outcomeOf } from "./outcome.js";
import { mountStats } from "./stats.js";

/** Whether a search went from node to node over more than one cell. */
const jumped = ({ timeline }) => (timeline?.jumps ?? 0) > 0;

const TOGGLES = [
  ["aid", "Search marks", "Open, closed and current cells; when off, only the path is shown"],
  ["arrows", "Parent arrows", "From each cell to its parent"],
  ["numbers", "g, h and f values", "Written into cells and nodes; zoom in to see them"],
  ["jumps", "Jumps", "How the search crossed several cells at once; the latest jumps are highlighted", jumped],
  ["prepared", "Prepared map", "What was precomputed from the map before the search", isSketched],
  ["chokes", "Choke cells", "Cells that are the only connection between parts of the map, for the agent of the selected board"],
  ["planner", "Planner’s view", "g, rhs and keys of incremental planners while units move; zoom in to see the numbers"],
];

/** Fills the facts panel. */
export function mountFacts(app, element) {
  const cell = el("section", { class: "section inspector", "aria-label": "Inspected cell" });
  const figures = el("div", { class: "section-body" });
  const heading = el("h2", {}, "This run");
  const run = el("section", { class: "section", "aria-label": "This run" }, heading, figures);
  const show = el("section", { class: "section", "aria-label": "Show" }, el("h2", {}, "Show"), toggles(app));
  for (const moving of [app.live, app.crowd]) moving.on("state", () => (run.hidden = app.moving !== null));
  const inHand = el("div", { class: "section-body" });
  const unit = el("section", { class: "section", "aria-label": "Unit", hidden: true }, el("h2", {}, "Unit"), inHand);
  const legend = el(
    "details",
    { class: "section legend-section", open: innerHeight >= 900 },
    el("summary", { class: "heading" }, "Legend"),
  );
  fill(element, outcomeOf(app, "in-facts"), unit, cell, run, show, legend);
  mountCrowdUnit(app, inHand, unit);
  mountInspector(app, cell);
  mountStats(app, figures, heading);
  mountLegend(app, legend);
}

/** Boxes for what can be shown; those with a condition are there while a board meets it. */
function toggles(app) {
  const { ui, runner, live, crowd, store } = app;
  const isShown = (name) => {
    if (name !== "prepared") return ui[name];
    return ui.prepared ?? runner.boards.some((run) => ui.showsPrepared(run));
  };
  const boxes = TOGGLES.map(([name, text, title, condition]) => {
    const box = el("input", { type: "checkbox", onchange: () => ui.set({ [name]: box.checked }) });
    const label = el("label", { class: "check", title }, box, text);
    const update = () => {
      box.checked = isShown(name);
      label.hidden = condition !== undefined && !runner.boards.some(condition);
    };
    ui.on("change", (names) => names.has(name) && update());
    if (condition) for (const type of ["cleared", "progress", "done", "failed", "boards"]) runner.on(type, onceAFrame(update));
    update();
    return [name, label];
  });
  const labels = new Map(boxes);
  // What belongs to units, and what to searches.
  const match = () => {
    labels.get("planner").hidden = !live.active || store.doc.world.kind !== "grid";
    labels.get("aid").hidden = app.moving !== null;
    labels.get("arrows").hidden = crowd.active || store.doc.world.kind === "voxel";
    // Scenes have no numbers, their slices do.
    labels.get("numbers").hidden = app.moving !== null || (store.doc.world.kind === "voxel" && !ui.sliceEditor);
    labels.get("chokes").hidden = store.doc.world.kind !== "grid";
  };
  for (const moving of [live, crowd]) moving.on("state", match);
  store.on("fields", match);
  ui.on("change", (names) => names.has("sliceEditor") && match());
  match();
  return el("div", { class: "toggles" }, [...labels.values()]);
}
