// Messages of the server that are not text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { readChokes, readKnowledge, readPiece } = await load("core/binary.js");
const { Knowledge, STANDINGS } = await load("core/knowledge.js");

const NO_NODE = 0xffffffff;

/** The bytes that docs/lab-protocol.md prescribes for what a planner knows. */
function knowledgeBytes({ board, live, fresh }, nodes) {
  const bytes = new DataView(new ArrayBuffer(12 + 28 * nodes.length));
  bytes.setUint8(0, 3);
  bytes.setUint8(1, board);
  bytes.setUint16(2, fresh ? 1 : 0, true);
  bytes.setUint32(4, live, true);
  bytes.setUint32(8, nodes.length, true);
  nodes.forEach(({ cell, parent, bits, values }, i) => {
    const at = 12 + 28 * i;
    bytes.setUint32(at, cell, true);
    bytes.setUint32(at + 4, parent < 0 ? NO_NODE : parent, true);
    bytes.setUint32(at + 8, bits, true);
    values.forEach((value, j) => bytes.setFloat32(at + 12 + 4 * j, value, true));
  });
  return bytes;
}

const node = (cell, parent, bits, ...values) => ({ cell, parent, bits, values });

test("what a planner knows is read as it was written", () => {
  const nodes = [node(7, -1, 0, 0, 0, 5, 0), node(3, 7, 1 | 4, Infinity, 2.5, 7.5, 2.5)];
  const message = readKnowledge(knowledgeBytes({ board: 2, live: 70_000, fresh: true }, nodes));
  assert.deepEqual(
    { board: message.board, live: message.live, fresh: message.fresh, count: message.count },
    { board: 2, live: 70_000, fresh: true, count: 2 },
  );
  assert.deepEqual(message.node(0), { cell: 7, parent: -1, bits: 0, g: 0, rhs: 0, key: [5, 0] });
  assert.deepEqual(message.node(1), { cell: 3, parent: 7, bits: 5, g: Infinity, rhs: 2.5, key: [7.5, 2.5] });
});

test("choke cells and pieces of traces", () => {
  const bytes = new DataView(new ArrayBuffer(12 + 8));
  [4, 0].forEach((value, i) => bytes.setUint8(i, value));
  [9, 2, 17, 123_456].forEach((value, i) => bytes.setUint32(4 + 4 * i, value, true));
  const { number, cells } = readChokes(bytes);
  assert.deepEqual([number, ...cells], [9, 17, 123_456]);
  const piece = readPiece(new DataView(Uint8Array.of(1, 3, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 77, 78).buffer));
  assert.deepEqual({ ...piece, bytes: [...piece.bytes] }, { board: 3, run: 8, events: 2, bytes: [77, 78] });
});

test("knowledge is the last word on each cell", () => {
  const knowledge = new Knowledge(10);
  assert.equal(knowledge.inspect(3), null);
  const hear = (fresh, ...nodes) => knowledge.take(readKnowledge(knowledgeBytes({ board: 0, live: 1, fresh }, nodes)));
  const take = (...message) => {
    const cells = hear(...message);
    knowledge.settle(50);
    return cells;
  };
  take(true, node(1, -1, 0, 0, 0, 4, 0), node(2, 1, 0, 1, 1, 4, 1));
  assert.deepEqual([...knowledge.touched], [], "a search from scratch is no repair");
  assert.deepEqual(
    [...take(false, node(2, -1, 2 | 4, 1, Infinity, 5, 1), node(3, 1, 1 | 4, 8, 2, 6, 2))],
    [2, 3],
  );
  assert.deepEqual([...knowledge.touched], [2, 3]);
  hear(true, node(1, -1, 0, 0, 0, 4, 0), node(2, -1, 2 | 4, 1, Infinity, 5, 1));
  assert.deepEqual([...knowledge.touched], [2, 3], "it is not complete");
  hear(false, node(3, 1, 1 | 4, 8, 2, 6, 2));
  knowledge.settle(60);
  assert.deepEqual([...knowledge.touched], [], "the second part of a search from scratch is no repair either");
  take(false, node(3, 1, 1 | 4, 8, 2, 6, 2));
  assert.deepEqual([[...knowledge.touched], knowledge.touchedAt], [[3], 50]);
  assert.deepEqual(knowledge.inspect(1), {
    g: 0, rhs: 0, key: [4, 0], parent: -1, standing: "consistent", queued: false,
  });
  assert.deepEqual(knowledge.inspect(2), {
    g: 1, rhs: Infinity, key: [5, 1], parent: -1, standing: "under-consistent", queued: true,
  });
  assert.equal(knowledge.inspect(3).standing, "over-consistent");
  assert.deepEqual([1, 2, 3, 4].map((cell) => knowledge.markOf(cell)), [0, 5, 4, -1]);
  take(false, node(4, -1, 0, Infinity, Infinity, Infinity, Infinity));
  assert.deepEqual([knowledge.markOf(4), knowledge.inspect(4).g], [-1, Infinity], "it looks like one never seen");
  take(false, node(2, -1, 8, 0, 0, 0, 0));
  assert.equal(knowledge.inspect(2), null, "nothing is known of it any more");
  take(true, node(5, -1, 0, 3, 3, 3, 3));
  assert.equal(knowledge.inspect(1), null, "all that was said before is void");
  assert.equal(knowledge.inspect(5).g, 3);
});

test("random knowledge, against a plain map", () => {
  const { below, between, pick, chance } = random(77);
  const knowledge = new Knowledge(40);
  const model = new Map();
  for (let turn = 0; turn < 300; turn++) {
    const fresh = chance(0.05);
    const cells = new Set(Array.from({ length: between(0, 6) }, () => below(40)));
    const nodes = [...cells].map((cell) =>
      node(cell, chance(0.3) ? -1 : below(40), pick([0, 1, 2]) + pick([0, 4, 8]), ...[1, 2, 3, 4].map(() => below(100))),
    );
    knowledge.take(readKnowledge(knowledgeBytes({ board: 0, live: 1, fresh }, nodes)));
    if (fresh) model.clear();
    for (const each of nodes) {
      if (each.bits & 8) model.delete(each.cell);
      else model.set(each.cell, each);
    }
    for (let cell = 0; cell < 40; cell++) {
      const wanted = model.get(cell);
      const found = knowledge.inspect(cell);
      assert.equal(found === null, wanted === undefined);
      if (!found) continue;
      assert.deepEqual([found.g, found.rhs, ...found.key], wanted.values);
      assert.equal(found.parent, wanted.parent);
      assert.equal(found.standing, STANDINGS[wanted.bits & 3]);
      assert.equal(found.queued, (wanted.bits & 4) !== 0);
    }
  }
});
