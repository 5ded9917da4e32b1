// Marked cells: what chunks have is what looking at every cell and its neighbours gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";
import { random } from "./support/random.js";

const { BACKWARD, FIRST, MarkedCells, SECOND } = await load("space/marked-cells.js");

const MARKS = [0, FIRST, SECOND, FIRST | BACKWARD, SECOND | BACKWARD];
const BESIDE = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/** The cells of all chunks as "x,y,z,mark"; those of the first kind come first. */
function listed(cells, slice) {
  return cells.chunks(slice).flatMap(({ origin, faces }) => {
    if (!faces) return [];
    return Array.from(faces.list, (number, i) => {
      const mark = number >> 15;
      assert.equal((mark & 3) === FIRST, i < faces.ends[0]);
      return [0, 1, 2].map((axis) => origin[axis] + ((number >> (5 * axis)) & 31)).concat(mark).join();
    });
  }).sort();
}

function bruteForce(size, marks, slice) {
  const kindAt = (place) => {
    if (slice && place[slice.axis] > slice.at) return -1;
    return place.every((value, axis) => value >= 0 && value < size[axis]) ? markAt(place) & 3 : 0;
  };
  const markAt = ([x, y, z]) => marks[(z * size[1] + y) * size[0] + x];
  const found = [];
  for (let cell = 0; cell < marks.length; cell++) {
    const place = [cell % size[0], Math.floor(cell / size[0]) % size[1], Math.floor(cell / size[0] / size[1])];
    const kind = kindAt(place);
    if (kind <= 0 || !BESIDE.some((step) => kindAt(place.map((value, axis) => value + step[axis])) !== kind)) continue;
    found.push([...place, markAt(place)].join());
  }
  return found.sort();
}

/** What a cell of twice the size shows of its parts: one that waits if there is any. */
function coarseMarks(size, marks) {
  const half = size.map((side) => Math.ceil(side / 2));
  const coarse = new Uint8Array(half[0] * half[1] * half[2]);
  for (let cell = 0; cell < marks.length; cell++) {
    const [x, y, z] = [cell % size[0], Math.floor(cell / size[0]) % size[1], Math.floor(cell / size[0] / size[1])];
    const at = ((z >> 1) * half[1] + (y >> 1)) * half[0] + (x >> 1);
    if (marks[cell] !== 0 && (coarse[at] & 3) !== FIRST) coarse[at] = marks[cell];
  }
  return { half, coarse };
}

test("chunks have the marked cells that are not inside, whatever was marked before", () => {
  const chance = random(51);
  for (let round = 0; round < 6; round++) {
    const size = [chance.between(1, 70), chance.between(1, 40), chance.between(1, 40)];
    const marks = new Uint8Array(size[0] * size[1] * size[2]);
    const cells = new MarkedCells(size);
    for (let change = 0; change < 4; change++) {
      // Long runs, so that some cells are inside.
      for (let run = 0; run < 20; run++) {
        const mark = MARKS[chance.below(MARKS.length)];
        const from = chance.below(marks.length);
        const to = Math.min(marks.length, from + chance.below(marks.length));
        for (let cell = from; cell < to; cell++) {
          marks[cell] = mark;
          cells.set(cell, mark);
        }
      }
      const axis = chance.below(3);
      const slice = chance.chance(0.5) ? { axis, at: chance.below(size[axis]) } : null;
      assert.deepEqual(listed(cells, slice), bruteForce(size, marks, slice));
      const { half, coarse } = coarseMarks(size, marks);
      assert.deepEqual(listed(cells.coarser, null), bruteForce(half, coarse, null));
    }
  }
});

test("a change renews its own chunk alone", () => {
  const size = [96, 32, 32];
  const cells = new MarkedCells(size);
  cells.set(size[0] * 5 + 10, FIRST);
  cells.set(size[0] * 5 + 80, SECOND);
  const versions = () => cells.chunks(null).map(({ version }) => version);
  assert.deepEqual(versions(), [1, 0, 1]);
  cells.set(size[0] * 5 + 10, SECOND);
  cells.set(size[0] * 5 + 80, SECOND);
  assert.deepEqual(versions(), [2, 0, 1], "the same mark again changes nothing");
  cells.set(size[0] * 5 + 31, SECOND);
  assert.deepEqual(versions(), [3, 1, 1], "beside another chunk");
});
