// The keyboard on a 3D board: turning, moving and flying.

/** Keys that are held: right, up, forward. By place on the keyboard, so that they lie together on every layout. */
const FLIGHT = {
  KeyD: [1, 0, 0],
  KeyA: [-1, 0, 0],
  KeyE: [0, 1, 0],
  KeyQ: [0, -1, 0],
  KeyW: [0, 0, 1],
  KeyS: [0, 0, -1],
};
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Pixels of a drag that an arrow key stands for. */
const TURN = 22;
const PAN = 40;

/** Listens to the keys of a canvas; gives back how to end that. */
export function listenToKeys({ space }, canvas) {
  const held = new Set();
  const fly = () => {
    const sum = [0, 0, 0];
    for (const code of held) FLIGHT[code].forEach((value, i) => (sum[i] += value));
    space.camera.fly(sum);
  };
  const down = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code in FLIGHT) {
      held.add(event.code);
      fly();
    } else if (event.key in ARROWS) {
      const [x, y] = ARROWS[event.key];
      if (event.shiftKey) space.camera.pan(-x * PAN, -y * PAN, canvas.clientHeight);
      else space.camera.turn(x * TURN, y * TURN);
    } else {
      return;
    }
    event.preventDefault();
  };
  const up = ({ code }) => held.delete(code) && fly();
  const leave = () => {
    held.clear();
    fly();
  };
  canvas.addEventListener("keydown", down);
  canvas.addEventListener("keyup", up);
  canvas.addEventListener("blur", leave);
  return leave;
}
