// What an incremental planner knows of the inspected cell.

import { el } from "../dom.js";
import { placeOf } from "../format.js";
import { NONE, cost } from "./figures.js";
import { figures, list } from "./lists.js";

/** `{element, show(world, known)}`; `known` is as Knowledge.inspect gives it. */
export function plannerCell() {
  const sums = figures([
    ["g", "What the planner last held for the cost between here and its root"],
    ["rhs", "The same as the neighbours have it now: the cheapest of them and the step to it"],
  ]);
  sums.element.classList.add("two");
  const rows = list([
    ["Key", "Cells in the queue are expanded in this order: the first part decides, then the second"],
    ["Standing", "Consistent: g equals rhs. Over-consistent: g is above, a cheaper way appeared. Under-consistent: g is below, a way got dearer"],
    ["Queue", "Whether the cell waits to be expanded"],
    ["Parent", "The neighbour that rhs comes from"],
  ]);
  const element = el("div", { class: "section-body" }, sums.element, rows.element);
  const show = (world, known) => {
    sums.show([cost(known?.g), cost(known?.rhs)]);
    rows.show([
      known ? known.key.map(cost).join(" · ") : NONE,
      known?.standing ?? "nothing known",
      known?.queued ? "waits" : NONE,
      known && known.parent >= 0 ? placeOf(world, known.parent) : NONE,
    ]);
  };
  return { element, show };
}
