// Where searches part.

/**
 * The first step at which searches that still go on close different nodes: `{step, nodes}` with the node of each
 * timeline, -1 for one that has ended; or `{step: null, steps}` with the number of steps that could be compared.
 */
export function firstDifference(timelines) {
  const lengths = timelines.map((timeline) => timeline.steps).sort((a, b) => b - a);
  const steps = lengths[1] ?? 0;
  for (let step = 1; step <= steps; step++) {
    let first = -1;
    for (const timeline of timelines) {
      const node = timeline.nodeOfStep(step);
      if (node < 0 || node === first) continue;
      if (first >= 0) return { step, nodes: timelines.map((other) => other.nodeOfStep(step)) };
      first = node;
    }
  }
  return { step: null, steps };
}
