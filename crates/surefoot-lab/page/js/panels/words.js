// Settings, promises and outcomes in words.

/** What the registry knows of an algorithm. */
export const algorithmOf = (about, name) => about.algorithms.find((known) => known.name === name);

/** The title of a board's algorithm. */
export const titleOf = (about, settings) => algorithmOf(about, settings.algorithm)?.title ?? settings.algorithm;

const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

/** The options of a board that differ from the default, as short words. */
export function optionWords(about, settings, worldKind) {
  const algorithm = algorithmOf(about, settings.algorithm);
  const { heuristic, weight, queue, moves, moves3, radius, terrain } = settings;
  const words = [];
  if (heuristic && heuristic !== "best") words.push(heuristic.replace(/^custom:(.*),(.*)$/, "custom $1, $2"));
  if (weight !== null && weight !== undefined) words.push(`weight ${decimal.format(weight)}`);
  if (queue && queue !== algorithm?.queues[0]) words.push(queue);
  if (worldKind === "graph") return words;
  if (worldKind === "voxel" && moves3 !== "26") words.push(`${moves3} moves`);
  if (worldKind === "grid" && moves && moves !== "8") words.push(moves === "4" ? "4 moves" : moves);
  if (radius > 0) words.push(`radius ${decimal.format(radius)}`);
  if (worldKind === "grid" && terrain && terrain !== "mean") words.push(`terrain ${terrain}`);
  return words;
}

/** Algorithm and options: "A* · octile · heap". */
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
      const reason = "No way is cheaper: with these settings that is certain.";
      return { kind: "optimal", symbol: "✓", text: "optimal", reason };
    }
    case "within": {
      const factor = decimal.format(promise.factor);
      const reason = `At most ${factor} times as dear as the cheapest way: with these settings that is certain.`;
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

/** With a capital letter and a full stop. */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** How a search ended if it found no path: null if it did. */
export function failureWords(run) {
  if (run.error) return run.error;
  const { outcome, message } = run.result ?? {};
  if (!outcome || outcome === "found") return null;
  if (outcome === "cancelled") return "cancelled";
  if (outcome === "limit") return `stopped: ${message ?? "it took too long"}`;
  return `no path: ${message ?? "nothing joins start and goal"}`;
}
