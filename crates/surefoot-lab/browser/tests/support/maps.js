// Maps that several tests use.

/** 24 x 14: a wall with a gap, a swamp and a meadow. */
export const TERRAIN = {
  rows: [
    "........................",
    "..........#......4444...",
    "..........#.....44444...",
    "...4444...#.....4444....",
    "..44444...#.............",
    "...444....#......#......",
    "..........#......#......",
    "..........#......#......",
    "..........#.....(10)#......",
    "................(10)#......",
    "..........#....(10)(10)#......",
    "..........#....(10)(10)#......",
    "..........#......#......",
    "..........#......#......",
  ],
  places: { start: [2, 7], goals: [[21, 7]] },
};

/** 9 x 7, small enough for searches that repeat themselves. */
export const SMALL = {
  rows: [".........", "....#....", "....#....", "..#.#.4..", "....#.4..", "......4..", "........."],
  places: { start: [1, 3], goals: [[7, 3]] },
};

/** Six crossings in two rows; a one-way road and a link. */
export const GRAPH = {
  world: {
    kind: "graph",
    nodes: [[0, 0], [4, 0], [8, 0], [0, 3], [4, 3], [8, 3]],
    edges: [
      { from: 0, to: 1, two_way: true },
      { from: 1, to: 2, two_way: true, cost: 9 },
      { from: 0, to: 3, two_way: true },
      { from: 3, to: 4, two_way: true },
      { from: 4, to: 5 },
      { from: 5, to: 2, two_way: true },
      { from: 1, to: 4, kind: "link", cost: 0.5, two_way: true },
    ],
  },
  start: 0,
  goals: [2],
};
