// What cells are made of.

/** The cost of a wall. */
export const WALL = 0;
/** The cost of plain floor. */
export const FLOOR = 1;
