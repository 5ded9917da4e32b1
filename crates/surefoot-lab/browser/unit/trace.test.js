// Traces: decoding, and the picture at any step from any side, against a replay from the beginning.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, OPEN, RELAX, REOPEN, UNITS, encoder, eventsUntil, randomEvents } from "./support/events.js";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { Replay, Timeline } = await load("core/trace.js");

const whole = (events, nodes) => {
  const timeline = new Timeline(nodes);
  timeline.append(encoder()(events), events.length);
  return timeline;
};

/** What a node has been through until a step, as the inspector says it. */
function naiveInspect(events, step, node) {
  const past = eventsUntil(events, step);
  const own = past.filter((event) => event.node === node);
  const last = own.at(-1);
  if (!last) return null;
  const lastClose = past.findLastIndex((event) => event.node === node && event.action === CLOSE);
  const order =
    lastClose < 0 ? null : past.slice(0, lastClose + 1).filter(({ action }) => action === CLOSE).length;
  const [g, h] = [Math.fround(last.g / UNITS), Math.fround(last.h / UNITS)];
  return {
    state: last.action === CLOSE ? 2 : 1,
    g,
    h,
    f: g + h,
    parent: last.parent,
    order,
    reopened: own.filter(({ action }) => action === REOPEN).length,
    backward: last.side === 1,
  };
}

function naiveSums(events, step) {
  const sums = { generated: 0, reopened: 0, open: 0, peak: 0, steps: 0 };
  for (const { action } of eventsUntil(events, step)) {
    if (action === CLOSE) sums.steps++;
    else sums.generated++;
    if (action === REOPEN) sums.reopened++;
    if (action !== RELAX) sums.open += action === CLOSE ? -1 : 1;
    sums.peak = Math.max(sums.peak, sums.open);
  }
  return sums;
}

test("events are decoded as they were, in pieces of any size", () => {
  for (let round = 0; round < 60; round++) {
    const choices = random(200 + round);
    const [width, height] = [choices.between(3, 40), choices.between(3, 40)];
    const events = randomEvents(choices, {
      nodes: width * height,
      length: 400,
      sides: choices.between(1, 2),
    });
    const encode = encoder();
    const timeline = new Timeline(width * height, { width });
    for (let at = 0; at < events.length; ) {
      const piece = events.slice(at, at + choices.between(0, 50));
      timeline.append(encode(piece), piece.length);
      at += piece.length;
    }
    assert.equal(timeline.length, events.length);
    events.forEach((event, i) => {
      const decoded = {
        action: timeline.action[i] & 3,
        side: timeline.action[i] >> 2,
        node: timeline.node[i],
        parent: timeline.parent[i],
        g: Math.round(timeline.g[i] * UNITS),
        h: Math.round(timeline.h[i] * UNITS),
      };
      assert.deepEqual(decoded, { ...event, g: decoded.g, h: decoded.h });
      assert.ok(Math.abs(decoded.g - event.g) <= 1 && Math.abs(decoded.h - event.h) <= 1);
    });
  }
});

test("costs near the largest that the server sends are decoded", () => {
  const far = 2 ** 31 * UNITS;
  const events = [
    { action: OPEN, side: 0, node: 3, parent: -1, g: far, h: 0 },
    { action: CLOSE, side: 0, node: 3, parent: -1, g: 0, h: far },
  ];
  const timeline = whole(events, 4);
  assert.deepEqual([...timeline.g.subarray(0, 2)], [2 ** 31, 0]);
  assert.deepEqual([...timeline.h.subarray(0, 2)], [0, 2 ** 31]);
});

test("a step looks the same from below, from above and from anywhere", () => {
  for (let round = 0; round < 20; round++) {
    const choices = random(300 + round);
    const nodes = choices.between(5, 60);
    const events = randomEvents(choices, {
      nodes,
      length: choices.between(0, 500),
      sides: choices.between(1, 2),
    });
    const timeline = whole(events, nodes);
    const closes = events.filter(({ action }) => action === CLOSE);
    assert.equal(timeline.steps, closes.length);
    const replay = new Replay(timeline);
    const picture = () => Array.from({ length: nodes }, (_, node) => JSON.stringify(replay.inspect(node)));
    for (let turn = 0; turn < 30; turn++) {
      const before = picture();
      const current = timeline.nodeOfStep(replay.step);
      const step = choices.below(timeline.steps + 1);
      const touched = new Set();
      replay.moveTo(step, (node) => touched.add(node));
      for (let node = 0; node < nodes; node++) {
        const wanted = naiveInspect(events, step, node);
        assert.deepEqual(replay.inspect(node), wanted, `round ${round}, step ${step}, node ${node}`);
        assert.equal(replay.stateOf(node), wanted?.state ?? 0);
      }
      const after = picture();
      for (let node = 0; node < nodes; node++) {
        if (before[node] !== after[node]) assert.ok(touched.has(node), `node ${node} changed without a word`);
      }
      const next = step === 0 ? -1 : closes[step - 1].node;
      assert.equal(timeline.nodeOfStep(step), next);
      if (current !== next) for (const node of [current, next]) assert.ok(node < 0 || touched.has(node));
    }
  }
});

test("a replay keeps up with a search that is still arriving", () => {
  for (let round = 0; round < 20; round++) {
    const choices = random(400 + round);
    const events = randomEvents(choices, { nodes: 30, length: 300 });
    const timeline = new Timeline(30);
    const replay = new Replay(timeline);
    const encode = encoder();
    for (let at = 0; at < events.length; ) {
      const piece = events.slice(at, at + choices.between(1, 40));
      timeline.append(encode(piece), piece.length);
      at += piece.length;
      const arrived = events.slice(0, at);
      const step = choices.chance(0.5) ? timeline.steps : choices.below(timeline.steps + 1);
      replay.moveTo(step, () => {});
      for (let node = 0; node < 30; node++) {
        assert.deepEqual(replay.inspect(node), naiveInspect(arrived, step, node));
      }
    }
  }
});

test("statistics at any step are those of a count from the beginning", () => {
  // Longer than the distance between two kept sums.
  const choices = random(500);
  const events = randomEvents(choices, { nodes: 80, length: 13_000, sides: 2 });
  const timeline = whole(events, 80);
  const some = Array.from({ length: 60 }, () => choices.below(timeline.steps + 1));
  for (const step of [0, 1, timeline.steps - 1, timeline.steps, ...some]) {
    assert.deepEqual(timeline.sumsAt(step), naiveSums(events, step), `step ${step}`);
    assert.equal(timeline.eventsAt(step), eventsUntil(events, step).length);
  }
});

test("an event knows its step", () => {
  const events = randomEvents(random(600), { nodes: 20, length: 200 });
  const timeline = whole(events, 20);
  let step = 0;
  events.forEach((event, i) => {
    if (event.action === CLOSE) step++;
    assert.equal(timeline.stepOf(i), step);
  });
});

test("jumps are the events whose parent is no neighbour", () => {
  const { below } = random(77);
  const [width, height] = [9, 7];
  const encode = encoder();
  const timeline = new Timeline(width * height, { width });
  const expected = [];
  const isJump = (a, b) =>
    Math.abs((a % width) - (b % width)) > 1 || Math.abs(Math.floor(a / width) - Math.floor(b / width)) > 1;
  for (let piece = 0; piece < 20; piece++) {
    const events = Array.from({ length: 50 }, () => {
      return { action: OPEN, side: 0, node: below(width * height), parent: below(width * height), g: 1, h: 1 };
    });
    events.forEach(({ node, parent }, i) => isJump(node, parent) && expected.push(timeline.length + i));
    timeline.append(encode(events), events.length);
  }
  assert.deepEqual([...timeline.jumpAt.subarray(0, timeline.jumps)], expected);
  assert.equal(timeline.jumpsBefore(expected[10]), 10);
  assert.equal(timeline.jumpOf(expected[10]), 10);
  assert.equal(timeline.jumpOf(-1), -1);
  assert.equal(timeline.jumpsBefore(timeline.length), expected.length);
});

test("events in space are decoded: costs in units of their own, jumps by three axes", () => {
  for (let round = 0; round < 30; round++) {
    const choices = random(900 + round);
    const [width, depth, height] = [choices.between(1, 9), choices.between(1, 9), choices.between(1, 9)];
    const place = (node) => [node % width, Math.floor(node / width) % depth, Math.floor(node / width / depth)];
    const events = randomEvents(choices, { nodes: width * depth * height, length: 200 });
    const units = 192_070;
    const timeline = new Timeline(width * depth * height, { width, depth, units });
    timeline.append(encoder()(events), events.length);
    const isFar = ({ node, parent }) =>
      parent >= 0 && place(node).some((value, axis) => Math.abs(value - place(parent)[axis]) > 1);
    events.forEach(({ node, parent, g }, i) => {
      assert.deepEqual([timeline.node[i], timeline.parent[i]], [node, parent], `round ${round}, event ${i}`);
      assert.equal(timeline.g[i], Math.fround(g / units));
    });
    const jumps = [...timeline.jumpAt.subarray(0, timeline.jumps)];
    assert.deepEqual(jumps, events.flatMap((event, i) => (isFar(event) ? [i] : [])));
  }
});
