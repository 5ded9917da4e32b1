// Scenes: the moving obstacles of a voxel world, as described in docs/formats.md. Lengths are in cells here.

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const isPoint = (value, numbers = 3) => Array.isArray(value) && value.length === numbers && value.every(isNumber);

/** What an obstacle may do, by the names of the format. */
const HABITS = [["patrol", "patrols"], ["keyframes", "follows keyframes"], ["turn", "rotates"], ["switch", "appears and disappears"]];

const check = (right, what) => {
  if (!right) throw new Error(what);
};

/**
 * A scene of the server. `json` is what it was read from; `obstacles` are `{name, shape, position, rotation, habits}`:
 * where they begin, and a description of their motion; `speed` is in cells per second.
 */
export class MovingScene {
  /** Throws if a shape is invalid; the server checks the rest. */
  constructor(json) {
    const { origin = [0, 0, 0], cell_size: cell = 1, agent = {}, goal, obstacles = [] } = json;
    check(isPoint(origin) && isNumber(cell) && cell > 0, "the frame of the scene is invalid");
    check(Array.isArray(obstacles), "the obstacles of the scene are not a list");
    this.json = json;
    this.radius = (agent.radius ?? 0) / cell;
    this.speed = (agent.speed ?? 1) / cell;
    check(isNumber(this.radius) && isNumber(this.speed), "the agent of the scene is invalid");
    /** Whether the goal moves by itself. */
    this.goalMoves = Boolean(goal?.patrol ?? goal?.keyframes);
    this.obstacles = obstacles.map((entry, index) => {
      const { name, position, rotation = [0, 0, 0, 1] } = entry;
      check(isPoint(position) && isPoint(rotation, 4), `obstacle ${index} has no valid position`);
      const shape = shapeOf(entry, 1 / cell);
      check(shape, `obstacle ${index} has no shape`);
      const at = position.map((value, axis) => (value - origin[axis]) / cell);
      const habits = HABITS.filter(([key]) => entry[key]).map(([, words]) => words);
      return { name: typeof name === "string" ? name : "", shape, position: at, rotation, habits };
    });
  }
}

/** The shape of an entry, scaled: `{kind, ...}`; null if it has no valid shape. */
function shapeOf({ box, sphere, capsule, polyhedron }, scale) {
  const scaled = (point) => point.map((value) => value * scale);
  if (isPoint(box)) return { kind: "box", half: scaled(box) };
  if (isNumber(sphere)) return { kind: "sphere", radius: sphere * scale };
  if (capsule && isPoint(capsule.from) && isPoint(capsule.to) && isNumber(capsule.radius)) {
    const { from, to, radius } = capsule;
    return { kind: "capsule", from: scaled(from), to: scaled(to), radius: radius * scale };
  }
  const { points, faces } = polyhedron ?? {};
  const arePoints = Array.isArray(points) && points.every((point) => isPoint(point));
  const isCorner = (corner) => Number.isInteger(corner) && corner >= 0 && corner < points.length;
  if (!arePoints || !Array.isArray(faces)) return null;
  if (!faces.every((face) => Array.isArray(face) && face.every(isCorner))) return null;
  return { kind: "polyhedron", points: points.map(scaled), faces };
}
