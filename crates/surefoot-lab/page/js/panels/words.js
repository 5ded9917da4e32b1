// Settings, promises and outcomes in words.

import { capitalised } from "../format.js";
import { optionTitle } from "./option-titles.js";

/** What the registry knows of an algorithm. */
export const algorithmOf = (about, name) => about.algorithms.find((known) => known.name === name);

/** What a planner is called that may be none of the lab's. */
export const plannerTitle = (about, name) => algorithmOf(about, name)?.title ?? name;

/** What flies or walks on a board: its algorithm, or the planner of a recorded flight. */
export const unitTitle = ({ live, about, store }, board) =>
  live.replay ? `${plannerTitle(about, live.replay.planner)} (recorded)` : titleOf(about, store.doc.boards[board]);

/** The title of a board's algorithm. */
export const titleOf = (about, settings) => algorithmOf(about, settings.algorithm)?.title ?? settings.algorithm;

const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

/** The options of a board that differ from the default, as short words. */
export function optionWords(about, settings, worldKind) {
  const algorithm = algorithmOf(about, settings.algorithm);
  const { heuristic, weight, queue, moves, moves3, radius, terrain } = settings;
  const words = [];
  if (heuristic && heuristic !== "best") words.push(heuristicWords(heuristic));
  if (weight !== null && weight !== undefined) words.push(`weight ${decimal.format(weight)}`);
  if (queue && queue !== algorithm?.queues[0]) words.push(optionTitle("queues", queue));
  if (worldKind === "graph") return words;
  if (worldKind === "voxel" && moves3 !== "26") words.push(optionTitle("moves3", moves3));
  if (worldKind === "grid" && moves && moves !== "8") words.push(optionTitle("moves", moves));
  if (radius > 0) words.push(`radius ${decimal.format(radius)}`);
  if (worldKind === "grid" && terrain && terrain !== "mean") words.push(`terrain: ${lowered(optionTitle("terrain_rules", terrain))}`);
  return words;
}

function heuristicWords(heuristic) {
  const [, straight, diagonal] = /^custom:(.*),(.*)$/.exec(heuristic) ?? [];
  return straight === undefined ? optionTitle("heuristics", heuristic) : `Custom ${straight}, ${diagonal}`;
}

/** Algorithm and options: "A* · Octile · Binary heap". */
export const boardWords = (about, settings, worldKind) =>
  [titleOf(about, settings), ...optionWords(about, settings, worldKind)].join(" · ");

/** What the badge of a board says: `{kind, symbol, text, reason}`. Names what the search guarantees, or how it ended without a path. */
export function badgeWords(run) {
  const { outcome = "found" } = run.result ?? {};
  if (run.error) return promiseWords(null);
  if (outcome === "found") return promiseWords(run.promise);
  const reason = sentence(failureWords(run));
  if (outcome === "unreachable") return { kind: "none", symbol: "✕", text: "no path", reason };
  return { kind: "stopped", symbol: "–", text: outcome === "cancelled" ? "cancelled" : "stopped", reason };
}

/** What a promise says: `{kind, symbol, text, reason}`. */
function promiseWords(promise) {
  switch (promise?.kind) {
    case "optimal": {
      const reason = "Guaranteed cheapest path with these settings.";
      return { kind: "optimal", symbol: "✓", text: "optimal", reason };
    }
    case "within": {
      const factor = decimal.format(promise.factor);
      const reason = `Guaranteed to cost at most ${factor} times the cheapest path with these settings.`;
      return { kind: "within", symbol: "≤", text: `${factor}×`, reason };
    }
    case "nothing":
      return { kind: "nothing", symbol: "!", text: "no guarantee", reason: sentence(promise.reason) };
    default:
      return { kind: "unknown", symbol: "", text: "", reason: "" };
  }
}

/** Which algorithm another one chose: "chose Jump point search: all cells cost the same". */
export const choiceWords = (about, { algorithm, reason }) =>
  `chose ${algorithmOf(about, algorithm)?.title ?? algorithm}: ${reason}`;

const lowered = (text) => `${text[0].toLowerCase()}${text.slice(1)}`;

/** With a capital letter and a full stop. */
export const sentence = (text) => `${capitalised(text)}${/[.!?]$/.test(text) ? "" : "."}`;

/** A summary without the title that it begins with: "4-way: straight steps only" becomes "straight steps only". */
export const detailOf = (summary) => summary.replace(/^[^:]*: /, "");

/** An error of the server without the name of the request that it refuses: "live: no boards" becomes "no boards". */
export const reasonOf = (message) =>
  message.replace(/^(world|edit|run|live|crowd|spawn|dismiss|send|watch|tick|place|adjust|advise|chokes): /, "");

/** How a search ended if it found no path: null if it did. */
export function failureWords(run) {
  if (run.error) return reasonOf(run.error);
  const { outcome, message } = run.result ?? {};
  if (!outcome || outcome === "found") return null;
  if (outcome === "cancelled") return "cancelled";
  if (outcome === "limit") return `stopped: ${message ?? "it took too long"}`;
  return `no path: ${message ?? "the start and the goal are not connected"}`;
}
