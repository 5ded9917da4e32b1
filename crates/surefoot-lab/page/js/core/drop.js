// Chooses cells by a seed: of a path on which to drop walls, of a map where units join.

/** A pseudo-random number from 0 to 1 for a seed and an index (mulberry32). */
function unit(seed, place) {
  let state = (seed * 0x9e3779b1 + place * 0x6d2b79f5) >>> 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

/** Some of the given cells, at most `count`, chosen by a seed: the same every time. */
export function chooseSome(cells, count, seed) {
  const left = [...cells];
  const chosen = [];
  while (chosen.length < count && left.length > 0) {
    const at = Math.floor(unit(seed, chosen.length + 1) * left.length);
    chosen.push(left[at]);
    // The last one takes its place: no others move.
    left[at] = left.at(-1);
    left.pop();
  }
  return chosen;
}
