// Which edges of the world's box are its axes: those that nothing stands before.

/** For each axis the edge `[from, to]` to name: near the eye along the ground, and upwards at the left. */
export function axisEdges(size, camera, width, height) {
  return [0, 1, 2].map((axis) => {
    const [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
    const edges = [0, 1, 2, 3].map((corner) => {
      const from = [0, 0, 0];
      from[first] = corner & 1 ? size[first] : 0;
      from[second] = corner >> 1 ? size[second] : 0;
      return [from, from.with(axis, size[axis])];
    });
    const ground = edges.filter(([from]) => axis === 2 || from[2] === 0);
    const rank = ([from, to]) => {
      const middle = from.map((value, i) => (value + to[i]) / 2);
      if (axis < 2) return Math.hypot(...camera.eye.map((value, i) => value - middle[i]));
      return camera.onScreen(middle, width, height)?.[0] ?? Infinity;
    };
    return ground.reduce((best, edge) => (rank(edge) < rank(best) ? edge : best));
  });
}
