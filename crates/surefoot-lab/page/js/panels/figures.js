// Numbers in readable form.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** What stands where there is no number. */
export const NONE = "–";

/** Costs closer than this are equal: they come as decimal fractions. */
export const NEARLY = 1e-6;

const present = (value) => value !== null && value !== undefined;
const or = (format) => (value) => (present(value) ? format(value) : NONE);

/** 1,490 */
export const count = or((value) => whole.format(value));

/** 32.49 */
export const cost = or((value) => two.format(value));

/** 42 %, of a share of 1 */
export const percent = (share) => `${Math.floor(100 * share)}%`;

/** 214 KB */
export const bytes = or((value) => {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log(Math.max(value, 1)) / Math.log(1024)), units.length - 1);
  return `${three.format(value / 1024 ** power)} ${units[power]}`;
});

/** 148 µs, 1.48 ms, 2.03 s */
export const time = or((us) => {
  if (us < 1000) return `${three.format(us)} µs`;
  return us < 1e6 ? `${three.format(us / 1e3)} ms` : `${three.format(us / 1e6)} s`;
});

/** 340 ms, 2.1 MB */
export const preparation = or((prepared) => `${time(prepared.us)}, ${bytes(prepared.bytes)}`);

/** What the trace counted up to a step: null if there is none, or only a part of it. */
export const sumsAt = ({ timeline, result }, step) =>
  timeline && !result?.dropped ? timeline.sumsAt(step) : null;

/** The cost as a multiple of the optimum in steps: null if there is none; any-angle paths can be below 1. */
export function ratioOf(result) {
  if (result?.outcome !== "found" || !present(result.optimum)) return null;
  const ratio = result.optimum < NEARLY ? 1 : result.cost / result.optimum;
  return Math.abs(ratio - 1) < NEARLY ? 1 : ratio;
}

/** 1.000×; a result that is not optimal is never rounded to 1. */
export const ratio = or((value) => {
  if (value > 1 + NEARLY && value < 1.0005) return "1.001×";
  if (value < 1 - NEARLY && value > 0.9995) return "0.999×";
  return `${value.toFixed(3)}×`;
});
