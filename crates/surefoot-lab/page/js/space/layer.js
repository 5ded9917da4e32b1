// One layer of a voxel world as a picture: which cell of the one is which cell of the other.

/** The axes of the picture of a layer along each axis: to the right, and up or down. */
const PICTURE = [
  [1, 2],
  [0, 2],
  [0, 1],
];

/** A layer at a place along an axis (0 is x). Where z is in the picture it goes up, as outside. */
export class Layer {
  #across;
  #down;
  #up;
  #size;

  constructor(size, axis, at) {
    [this.#across, this.#down] = PICTURE[axis];
    this.#up = this.#down === 2;
    this.#size = size;
    this.axis = axis;
    this.at = at;
    this.width = size[this.#across];
    this.height = size[this.#down];
  }

  get cellCount() {
    return this.width * this.height;
  }

  /** A place of the world, in the picture or beside it: right, down, and how far along the axis. */
  turned(place) {
    const down = place[this.#down];
    return [place[this.#across], this.#up ? this.height - 1 - down : down, place[this.axis]];
  }

  /** The place `[x, y]` in the picture of a place in the world, null if that is in another layer. */
  inPicture(place) {
    return place && place[this.axis] === this.at ? this.turned(place).slice(0, 2) : null;
  }

  /** The place in the world of a place in the picture. */
  inWorld([x, y]) {
    const place = [0, 0, 0];
    place[this.axis] = this.at;
    place[this.#across] = x;
    place[this.#down] = this.#up ? this.height - 1 - y : y;
    return place;
  }

  /** The number of a cell of the picture, -1 for cells of the world in other layers. */
  cellOf(index) {
    if (index < 0) return -1;
    const [width, depth] = this.#size;
    const row = Math.floor(index / width);
    const place = [index % width, row % depth, Math.floor(row / depth)];
    if (place[this.axis] !== this.at) return -1;
    const down = place[this.#down];
    return (this.#up ? this.height - 1 - down : down) * this.width + place[this.#across];
  }

  /** The number in the world of a cell of the picture. */
  indexOf(cell) {
    const [x, y, z] = this.inWorld([cell % this.width, Math.floor(cell / this.width)]);
    return (z * this.#size[1] + y) * this.#size[0] + x;
  }

  /** What a list has for the cells of the layer, in the order of the picture. */
  gather(list) {
    const part = new list.constructor(this.cellCount);
    for (let cell = 0; cell < part.length; cell++) part[cell] = list[this.indexOf(cell)];
    return part;
  }
}
