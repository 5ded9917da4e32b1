// What wheels and pairs of fingers ask for, the same on every board.

const WHEEL = 0.0016;
const PINCH_WHEEL = 0.011;
/** Pixels of a line and of a page, for wheels that count these. */
const WHEEL_UNITS = [1, 16, 400];
/** Wheels with notches report at least this much at once. */
const NOTCH = 60;
/** Fingers that are closer say nothing about a zoom. */
const CLOSEST = 8;

/** A place in CSS pixels from the middle of a canvas. */
export function fromMiddle(canvas, clientX, clientY) {
  const box = canvas.getBoundingClientRect();
  return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
}

/** `{pan: [dx, dy]}`, or `{amount, glides}`: the logarithm of a zoom, and whether it takes some frames. */
export function readWheel(event) {
  const unit = WHEEL_UNITS[event.deltaMode];
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  // Some browsers turn the wheel around themselves when shift is down.
  if (event.shiftKey && !event.ctrlKey) return { pan: dx !== 0 ? [-dx, -dy] : [-dy, 0] };
  const glides = Math.abs(dy) >= NOTCH;
  return { pan: null, amount: -dy * (event.ctrlKey && !glides ? PINCH_WHEEL : WHEEL), glides };
}

/**
 * What a finger of a pair asks for by moving: `{pan: [dx, dy], factor, middle}`, or null if it is none of the pair.
 * `down` are the fingers by id, `known` where this one was. The factor is null if they are too close to tell.
 */
export function readPinch(event, known, down, canvas) {
  const [a, b] = [...down.values()];
  if (!b || (known !== a && known !== b)) return null;
  const other = known === a ? b : a;
  const before = Math.hypot(known.x - other.x, known.y - other.y);
  const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
  return {
    pan: [(event.clientX - known.x) / 2, (event.clientY - known.y) / 2],
    factor: before > CLOSEST && after > CLOSEST ? after / before : null,
    middle: fromMiddle(canvas, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2),
  };
}
