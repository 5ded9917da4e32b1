// How long the server takes per tick: for flying units to update the world, to plan, and to adopt the plan; for a crowd altogether.

/** Ticks that are kept: four seconds. */
export const MOST_FRAMES = 240;
/** The time of a frame at 60 frames per second, in microseconds, rounded. */
export const FRAME_LIMIT = 16_000;
/** The share of ticks that have to fit the chart. One that takes much longer than all others would hide them. */
const FITTING = 0.98;
const LEAST_TOP = 20;

export const totalOf = (frame) => frame.reduce((sum, part) => sum + part, 0);

export class FrameTimes {
  /** For each board the last ticks, each the times of its parts in microseconds. */
  boards = [];

  /** Clears everything for the given number of boards. */
  clear(boards) {
    this.boards = Array.from({ length: boards }, () => []);
  }

  /** Takes in the ticks of a board. */
  take(board, frames) {
    this.boards[board] = [...this.boards[board], ...frames].slice(-MOST_FRAMES);
  }

  /** Of the ticks of a board: the mean of each part, the longest, and how many are above the limit; null if there are none. */
  figuresOf(board) {
    const frames = this.boards[board] ?? [];
    if (frames.length === 0) return null;
    const mean = frames[0].map((_, part) => frames.reduce((sum, frame) => sum + frame[part], 0) / frames.length);
    const totals = frames.map(totalOf);
    const above = totals.filter((total) => total > FRAME_LIMIT).length;
    return { mean, most: Math.max(...totals), above, ticks: frames.length };
  }

  /** The end of the axis, the same for all boards: 2, 5 or 10 times a power of ten, which nearly all ticks stay below. */
  get top() {
    const totals = this.boards.flatMap((frames) => frames.map(totalOf)).sort((a, b) => a - b);
    const most = Math.max(totals[Math.ceil(FITTING * totals.length) - 1] ?? 0, LEAST_TOP);
    const power = 10 ** Math.floor(Math.log10(most));
    return [1, 2, 5, 10].find((factor) => factor * power >= most) * power;
  }
}
