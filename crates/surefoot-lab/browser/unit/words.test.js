// What the badge of a board says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { BoardRun } = await load("core/board-run.js");
const { badgeWords } = await load("panels/words.js");

const badgeOf = (fields) => badgeWords(Object.assign(new BoardRun(), { promise: { kind: "optimal" }, ...fields }));

test("a promise is shown while there may be a path, and never where there is none", () => {
  assert.equal(badgeOf({ busy: true }).text, "optimal");
  assert.equal(badgeOf({ result: { outcome: "found" } }).text, "optimal");
  const none = badgeOf({ result: { outcome: "unreachable", message: "the goal is a wall" } });
  assert.deepEqual([none.kind, none.text, none.reason], ["none", "no path", "No path: the goal is a wall."]);
  assert.equal(badgeOf({ result: { outcome: "cancelled" } }).text, "cancelled");
  assert.equal(badgeOf({ result: { outcome: "limit" } }).text, "stopped");
  assert.equal(badgeOf({ error: "there is no goal yet: place one" }).kind, "unknown");
});
