// What boards and races say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/page.js";

const { BoardRun } = await load("core/board-run.js");
const { badgeWords, boardWords, detailOf, failureWords, reasonOf } = await load("panels/words.js");
const { verdict } = await load("panels/race-table.js");

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

test("the options of a board are named in words, not by the names that the server knows", () => {
  const about = { algorithms: [{ name: "astar", title: "A*", queues: ["buckets", "heap"] }] };
  const settings = { algorithm: "astar", heuristic: null, weight: null, queue: null, moves: "8", moves3: "26", radius: 0, terrain: "mean" };
  const words = (fields, kind = "grid") => boardWords(about, { ...settings, ...fields }, kind);
  assert.equal(words({}), "A*");
  assert.equal(words({ heuristic: "manhattan", queue: "heap" }), "A* · Manhattan · Binary heap");
  assert.equal(words({ heuristic: "custom:1,1.4", weight: 2.5 }), "A* · Custom 1, 1.4 · weight 2.5");
  assert.equal(words({ moves: "8-one", radius: 1.5 }), "A* · 8-way, may cut corners · radius 1.5");
  assert.equal(words({ moves: "4", terrain: "enter" }), "A* · 4-way · terrain: cell entered");
  assert.equal(words({ moves: "4", moves3: "6" }, "voxel"), "A* · 6-way");
  assert.equal(words({ heuristic: "newly-made" }), "A* · Newly-made", "what has no title yet");
});

test("a race is judged by work and by cost", () => {
  const names = ["A*", "Greedy"];
  const judged = (...standings) => verdict({ names, standings: standings.map(([expanded, cost]) => ({ expanded, cost })) });
  assert.equal(
    judged([300, 20], [100, 21.92]),
    "Greedy expands the fewest nodes, A* 3.0 times as many. The path of Greedy is 9.6% more expensive than the cheapest.",
  );
  assert.equal(judged([100, 20], [101, 20]), "A* expands the fewest nodes, Greedy slightly more. All paths cost the same.");
  assert.equal(judged([100, 20], [100, null]), "Greedy found no path.");
  assert.equal(judged([100, 0], [100, 4]), "The path of Greedy is more expensive than the cheapest.");
});

test("a summary is told without its title", () => {
  assert.equal(detailOf("8-way, may cut corners: a diagonal step needs one"), "a diagonal step needs one");
  assert.equal(detailOf("straight steps only"), "straight steps only");
});

test("the name of a request is left out of the server's reasons", () => {
  assert.equal(reasonOf("live: no boards, expected at least one"), "no boards, expected at least one");
  assert.equal(reasonOf("links[0]: 9, 0 is outside the map"), "links[0]: 9, 0 is outside the map");
  assert.equal(failureWords({ error: "run: there is no world yet" }), "there is no world yet");
});
