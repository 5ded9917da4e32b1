// Contacts of units with obstacles: totals per board, and the last ones.

import { HIT_KINDS, hitSums, hitWords } from "../core/hits.js";
import { el, fill } from "../dom.js";
import { count } from "./figures.js";

/** Contacts that are listed. */
const LISTED = 5;

/** `match(names)` once there are other boards, `show()` when something may have changed. */
export function hitList({ live, store }) {
  const sums = el("p", { class: "hit-sums" });
  const list = el("ol", { class: "hit-list", "aria-label": "Last hits" });
  const element = el("section", { class: "hits", "aria-label": "Hits", hidden: true }, sums, list);
  let names = [];
  let shown = "";
  const match = (given) => {
    names = given;
    shown = "";
  };
  const show = () => {
    const { hits, flight } = live;
    element.hidden = flight === null;
    const state = JSON.stringify([hits.totals, names]);
    if (element.hidden || state === shown) return;
    shown = state;
    const hasSeveral = names.length > 1;
    fill(sums, names.map((name, board) => sumOf(hasSeveral ? `${name}: ` : "", hits.totals[board])));
    const all = hits.lists.flatMap((each, board) => each.map((hit) => ({ ...hit, board })));
    const last = all.sort((a, b) => b.tick - a.tick).slice(0, LISTED);
    fill(list, last.map((hit) => el("li", {}, lineOf(hit, store.doc.scene, hasSeveral && names[hit.board]))));
  };
  return { element, match, show };
}

/** The sums of a board; a flight without hits says so. */
function sumOf(name, totals = Object.fromEntries(HIT_KINDS.map(([kind]) => [kind, 0]))) {
  const words = hitSums(totals);
  const state = words === "no hits" ? "clean" : "hit";
  return el("span", { class: "hit-sum", "data-state": state }, `${name}${words[0].toUpperCase()}${words.slice(1)}`);
}

/** "Tick 312: touched moving obstacle 3, “bar”" */
const lineOf = (hit, scene, name) =>
  `Tick ${count(hit.tick)}: ${name ? `${name} ` : ""}touched ${hitWords(hit, scene)}`;
