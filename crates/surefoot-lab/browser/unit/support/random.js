// Random numbers that can be had again: SUREFOOT_SEED=... npm run unit

export const seed = Number(process.env.SUREFOOT_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`seed of random tests: ${seed}`);

/** A generator (mulberry32) with helpers. Each test has its own, so that tests do not depend on their order. */
export function random(salt = 0) {
  let state = (seed + salt) >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(unit() * limit);
  return {
    unit,
    /** A whole number from 0 to `limit - 1`. */
    below,
    /** A whole number from `least` to `most`. */
    between: (least, most) => least + below(most - least + 1),
    pick: (list) => list[below(list.length)],
    chance: (share) => unit() < share,
  };
}
