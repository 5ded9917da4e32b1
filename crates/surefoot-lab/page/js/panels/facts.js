// The right panel: the inspected cell, the figures of the run, what to show, and the legend.

import { el, fill } from "../dom.js";
import { mountInspector } from "./inspector.js";
import { mountLegend } from "./legend.js";
import { outcomeOf } from "./outcome.js";
import { mountStats } from "./stats.js";

const TOGGLES = [
  ["aid", "Search marks", "Open, closed and current cells; without them only the path is left"],
  ["arrows", "Parent arrows", "From each cell to the one it was reached from"],
  ["numbers", "Numbers in cells", "g, h and f, once cells are large enough: zoom in"],
];

/** Fills the facts panel. */
export function mountFacts(app, element) {
  const cell = el("section", { class: "section inspector", "aria-label": "Inspected cell" });
  const figures = el("div", { class: "section-body" });
  const heading = el("h2", {}, "This run");
  const run = el("section", { class: "section", "aria-label": "This run" }, heading, figures);
  const show = el("section", { class: "section", "aria-label": "Show" }, el("h2", {}, "Show"), toggles(app));
  const legend = el(
    "details",
    { class: "section legend-section", open: innerHeight >= 900 },
    el("summary", { class: "heading" }, "Legend"),
  );
  fill(element, outcomeOf(app, "in-facts"), cell, run, show, legend);
  mountInspector(app, cell);
  mountStats(app, figures, heading);
  mountLegend(app, legend);
}

function toggles({ ui }) {
  const boxes = TOGGLES.map(([name, text, title]) => {
    const box = el("input", { type: "checkbox", onchange: () => ui.set({ [name]: box.checked }) });
    const update = () => (box.checked = ui[name]);
    ui.on("change", (names) => names.has(name) && update());
    update();
    return el("label", { class: "check", title }, box, text);
  });
  return el("div", { class: "toggles" }, boxes);
}
