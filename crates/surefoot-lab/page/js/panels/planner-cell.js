// What an incremental planner knows of the inspected cell.

import { el } from "../dom.js";
import { placeOf } from "../format.js";
import { NONE, cost } from "./figures.js";
import { figures, list } from "./lists.js";

/** `{element, show(world, known)}`; `known` is as Knowledge.inspect gives it. */
export function plannerCell() {
  const sums = figures([
    ["g", "Cost between this cell and the root of the search, as last expanded"],
    ["rhs", "The same cost from the neighbours’ current values: the smallest g plus the step to that neighbour"],
  ]);
  sums.element.classList.add("two");
  const rows = list([
    ["Key", "Queued cells are expanded in order of their keys: by the first part, then by the second"],
    ["Consistency", "Consistent: g = rhs. Over-consistent: g > rhs, a cheaper path appeared. Under-consistent: g < rhs, the path became more expensive"],
    ["Queue", "Whether the cell is waiting to be expanded"],
    ["Parent", "The neighbour that determines rhs"],
  ]);
  const element = el("div", { class: "section-body" }, sums.element, rows.element);
  const show = (world, known) => {
    sums.show([cost(known?.g), cost(known?.rhs)]);
    rows.show([
      known ? known.key.map(cost).join(" · ") : NONE,
      known?.standing ?? "unknown",
      known?.queued ? "queued" : NONE,
      known && known.parent >= 0 ? placeOf(world, known.parent) : NONE,
    ]);
  };
  return { element, show };
}
