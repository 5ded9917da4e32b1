// How much each replan took, for the chart: what happened on all boards in one answer stands in one column.

/** Columns that are kept. */
export const MOST_COLUMNS = 120;

const nothing = () => ({ replans: 0, expanded: 0, us: 0, worst: 0, restarts: 0, fresh: 0 });

export class ReplanLog {
  /** `{tick, values}` with the expansions of each board, null for one that did not replan. */
  columns = [];
  /** For each board `{replans, expanded, us, worst, restarts, fresh}`. */
  totals = [];

  /** Forgets everything; so many boards come. */
  clear(boards) {
    this.columns = [];
    this.totals = Array.from({ length: boards }, nothing);
  }

  /** Takes in the `replan` of each board after some ticks: null where there was none. True if there was any. */
  add(tick, replans) {
    if (replans.every((replan) => replan === null)) return false;
    this.columns.push({ tick, values: replans.map((replan) => replan?.expanded ?? null) });
    if (this.columns.length > MOST_COLUMNS) this.columns.shift();
    replans.forEach((replan, board) => replan && this.#sum(this.totals[board], replan));
    return true;
  }

  #sum(total, { count, expanded, us, restarted, fresh }) {
    total.replans += count;
    total.expanded += expanded;
    total.us += us;
    total.worst = Math.max(total.worst, expanded);
    if (restarted) total.restarts++;
    if (fresh !== null) total.fresh++;
  }

  /** The mean of a board: `{expanded, us}` a replan, null if it made none. */
  meanOf(board) {
    const { replans, expanded, us } = this.totals[board] ?? nothing();
    return replans > 0 ? { expanded: expanded / replans, us: us / replans } : null;
  }

  /** The last expansions of a board, null if it made no replan. */
  lastOf(board) {
    return this.columns.findLast(({ values }) => values[board] !== null)?.values[board] ?? null;
  }

  /** The most expansions in a column. */
  get most() {
    return Math.max(0, ...this.columns.flatMap(({ values }) => values.filter((value) => value !== null)));
  }
}

/** Values that an axis up to `most` is marked at: 0 and powers of ten, the last not below `most`. */
export function axisMarks(most) {
  const marks = [0, 1];
  while (marks.at(-1) < most) marks.push(10 * marks.at(-1));
  return marks;
}

/** How high a value is on an axis up to `top`, 0 to 1: each factor counts the same, and 0 has a place. */
export const heightOf = (value, top) => Math.log10(1 + 9 * value) / Math.log10(1 + 9 * Math.max(top, 1));
