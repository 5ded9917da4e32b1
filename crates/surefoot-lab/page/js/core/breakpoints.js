// Where playing stops by itself.

import { CLOSE, RELAX } from "./trace.js";

const NEARLY = 1e-4;

/**
 * The first step after `from` and up to `to` at which a breakpoint is hit: `{step, breakpoint}`, or null. A value
 * of f is hit by the first closed node of the whole search that reaches it.
 */
export function hitBetween(timeline, breakpoints, from, to) {
  const end = timeline.eventsAt(to);
  for (let event = timeline.eventsAt(from); event < end; event++) {
    const action = timeline.action[event] & 3;
    const breakpoint = breakpoints.find((point) => hits(timeline, point, event, action));
    if (breakpoint) return { step: timeline.stepOf(event), breakpoint };
  }
  return null;
}

function hits(timeline, point, event, action) {
  switch (point.kind) {
    case "opened":
      return timeline.node[event] === point.node && action !== CLOSE && action !== RELAX;
    case "closed":
      return timeline.node[event] === point.node && action === CLOSE;
    default:
      return action === CLOSE && event === firstReaching(timeline, point.value);
  }
}

/** For each timeline, the events found so far by value. */
const reached = new WeakMap();

/** The first close event whose f is at least a value. */
function firstReaching(timeline, value) {
  if (!reached.has(timeline)) reached.set(timeline, new Map());
  const found = reached.get(timeline);
  let event = found.get(value) ?? 0;
  const passes = () =>
    (timeline.action[event] & 3) === CLOSE && timeline.g[event] + timeline.h[event] >= value - NEARLY;
  while (event < timeline.length && !passes()) event++;
  found.set(value, event);
  return event;
}
