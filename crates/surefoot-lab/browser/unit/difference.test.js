// Where searches part, against a look at every step.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { firstDifference } = await load("core/difference.js");

const timelineOf = (nodes) => ({ steps: nodes.length, nodeOfStep: (step) => nodes[step - 1] ?? -1 });

function naive(searches) {
  const most = Math.max(...searches.map((nodes) => nodes.length));
  for (let step = 1; step <= most; step++) {
    const nodes = searches.map((search) => search[step - 1] ?? -1);
    if (new Set(nodes.filter((node) => node >= 0)).size > 1) return { step, nodes };
  }
  return null;
}

test("the first step at which two searches close different nodes is found", () => {
  for (let round = 0; round < 300; round++) {
    const { below, between, chance } = random(1300 + round);
    const common = Array.from({ length: between(0, 12) }, () => below(5));
    const newSearch = () => common.slice(0, below(20)).map((node) => (chance(0.05) ? below(5) : node));
    const searches = Array.from({ length: between(2, 4) }, newSearch);
    const found = firstDifference(searches.map(timelineOf));
    const wanted = naive(searches);
    if (wanted) assert.deepEqual(found, wanted, `round ${round}`);
    else assert.equal(found.step, null, `round ${round}`);
  }
});
