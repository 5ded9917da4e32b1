// Breakpoints against a look at every event.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, RELAX, UNITS, encoder, randomEvents } from "./support/events.js";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { hitBetween } = await load("core/breakpoints.js");
const { Timeline } = await load("core/trace.js");

const f = (event) => (event.g + event.h) / UNITS;

/** The steps at which a breakpoint is hit. */
function naiveHits(events, point) {
  const steps = [];
  let step = 0;
  let reached = false;
  for (const event of events) {
    if (event.action === CLOSE) step++;
    const opens = event.action !== CLOSE && event.action !== RELAX;
    if (point.kind === "opened" && event.node === point.node && opens) steps.push(step);
    if (point.kind === "closed" && event.node === point.node && event.action === CLOSE) steps.push(step);
    if (point.kind === "f" && !reached && event.action === CLOSE && f(event) >= point.value) {
      reached = true;
      steps.push(step);
    }
  }
  return steps;
}

test("the first hit after a step is found, whatever the breakpoints", () => {
  for (let round = 0; round < 60; round++) {
    const choices = random(700 + round);
    const { below, between, pick, chance } = choices;
    const nodes = 25;
    const events = randomEvents(choices, { nodes, length: 300 });
    const timeline = new Timeline(nodes);
    timeline.append(encoder()(events), events.length);
    const newPoint = () =>
      chance(0.3)
        ? { kind: "f", value: between(1, 90) }
        : { kind: pick(["opened", "closed"]), node: below(nodes) };
    const points = Array.from({ length: below(4) }, newPoint);
    for (let turn = 0; turn < 30; turn++) {
      const from = below(timeline.steps + 1);
      const to = between(from, timeline.steps);
      const steps = points
        .flatMap((point) => naiveHits(events, point))
        .filter((step) => step > from && step <= to);
      const hit = hitBetween(timeline, points, from, to);
      assert.equal(hit?.step ?? Infinity, Math.min(Infinity, ...steps), `round ${round}, ${from} to ${to}`);
      if (hit) assert.ok(naiveHits(events, hit.breakpoint).includes(hit.step));
    }
  }
});
