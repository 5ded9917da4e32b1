// What flying units have touched, as the server judges it.

/** The kinds of hits, as they are told, and in words. */
export const HIT_KINDS = [["static", "static"], ["moving", "moving"], ["appeared", "appeared"]];
/** Contacts of a board that are kept. */
const MOST_KEPT = 200;

const nothing = () => ({ static: 0, moving: 0, appeared: 0 });

export class HitLog {
  /** For each board `{static, moving, appeared}`: how many contacts there were. */
  totals = [];
  /** For each board, the last contacts: `{tick, kind, obstacle, at}`, an obstacle of null for a solid cell. */
  lists = [];
  /** What was counted before the server began to count. */
  #before = [];

  /** Forgets everything; so many boards come. */
  clear(boards) {
    const each = (make) => Array.from({ length: boards }, make);
    [this.totals, this.lists, this.#before] = [each(nothing), each(() => []), each(nothing)];
  }

  /** The server counts from zero after this. */
  beginAgain() {
    this.#before = this.totals;
  }

  /** Takes in what the server says of a board, whose ticks began at `first`. Gives back the contacts that are new. */
  take(board, report, first) {
    const before = this.#before[board];
    this.totals = this.totals.with(board, Object.fromEntries(HIT_KINDS.map(([kind]) => [kind, before[kind] + report[kind]])));
    const hits = report.new.map((hit) => ({ ...hit, tick: first + hit.tick }));
    // Another list each time something is added, so that pictures notice.
    if (hits.length > 0) this.lists = this.lists.with(board, [...this.lists[board], ...hits].slice(-MOST_KEPT));
    return hits;
  }

  /** How many contacts a board had. */
  countOf(board) {
    return Object.values(this.totals[board] ?? nothing()).reduce((sum, count) => sum + count, 0);
  }
}

/** What was touched: "moving obstacle 3, “bar”", "a solid cell". */
export function hitWords({ kind, obstacle }, scene) {
  if (obstacle === null) return "a solid cell";
  const name = scene?.obstacles[obstacle]?.name;
  const words = kind === "appeared" ? "appearing obstacle" : "moving obstacle";
  return name ? `${words} ${obstacle + 1}, “${name}”` : `${words} ${obstacle + 1}`;
}

/** Sums in words: "3 hits (1 static, 2 moving)", "no hits". */
export function hitSums(totals) {
  const parts = HIT_KINDS.filter(([kind]) => totals[kind] > 0).map(([kind, word]) => `${totals[kind]} ${word}`);
  const count = HIT_KINDS.reduce((sum, [kind]) => sum + totals[kind], 0);
  return count === 0 ? "no hits" : `${count} ${count === 1 ? "hit" : "hits"} (${parts.join(", ")})`;
}
