// Sliders show how far they are.

/** Paints the part of a slider's track before its thumb. */
export function showShare(range) {
  const span = Number(range.max) - Number(range.min);
  const share = span > 0 ? (Number(range.value) - Number(range.min)) / span : 0;
  range.style.setProperty("--share", `${100 * share}%`);
}
