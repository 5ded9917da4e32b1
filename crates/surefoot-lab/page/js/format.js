// Numbers as people read them. A dash stands for what is not known.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const hundredths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/** A number of things: "1,490". */
export const count = (value) => (known(value) ? whole.format(value) : "–");

/** A cost in cells: "32.49". */
export const cost = (value) => (known(value) ? hundredths.format(value) : "–");

/** A time given in microseconds: "148 µs", "1.24 ms", "2.1 s". */
export function duration(microseconds) {
  if (!known(microseconds)) return "–";
  if (microseconds < 999.5) return `${three(microseconds)} µs`;
  if (microseconds < 999_500) return `${three(microseconds / 1e3)} ms`;
  return `${three(microseconds / 1e6)} s`;
}

/** Memory: "214 KB". */
export function bytes(value) {
  if (!known(value)) return "–";
  if (value < 1000) return `${whole.format(value)} B`;
  if (value < 999_500) return `${three(value / 1e3)} KB`;
  return `${three(value / 1e6)} MB`;
}

/** A ratio to the proven optimum in words: "= optimum", "1.07 × optimum"; empty if it is not known. */
export function ratio(pathCost, optimum) {
  if (!known(pathCost) || !known(optimum)) return "";
  if (optimum === 0 || pathCost / optimum < 1 + 1e-9) return "= optimum";
  const factor = pathCost / optimum;
  return `${factor < 1.005 ? factor.toPrecision(5) : factor.toFixed(2)} × optimum`;
}

/** Steps a second in words; "instant" for Infinity. */
export const pace = (speed) => {
  if (speed === Infinity) return "instant";
  const rounded = Number(speed.toPrecision(2));
  return `${rounded < 10 ? rounded : whole.format(rounded)} ${rounded === 1 ? "step" : "steps"}/s`;
};

/** A place in words: "41, 17" on grids, "node 7" on graphs. */
export const place = (world, node) => {
  const at = world.place(node);
  return Array.isArray(at) ? `${at[0]}, ${at[1]}` : `node ${at}`;
};

/** Three figures: 148, 14.8, 1.48. */
const three = (value) => (value < 100 ? Number(value.toPrecision(3)).toString() : whole.format(value));
