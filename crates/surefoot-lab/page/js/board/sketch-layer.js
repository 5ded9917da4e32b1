// The prepared data on the board: clusters, entrances, and the connections between them.

import { LineTiles } from "./line-tiles.js";

/** Device pixels of the map per connection and per entrance: beyond that, some are left out. */
const ROOM_FOR_WAY = 90;
const ROOM_FOR_PLACE = 36;
/** Parts smaller than this, in device pixels, are not outlined. */
const SMALLEST_PART = 6;

export class SketchLayer {
  #parts = new LineTiles();
  #ways = new LineTiles();
  #places = new LineTiles();
  #sketch = null;

  /** Draws a sketch into a context whose origin is the map's corner, in device pixels; nothing if it is null. */
  draw(context, view, sketch, world) {
    const layers = [this.#parts, this.#ways, this.#places];
    if (this.#sketch !== sketch) for (const layer of layers) layer.clear();
    this.#sketch = sketch;
    if (sketch === null) return;
    const width = Math.max(Math.round(view.ratio), 1);
    const area = world.nodeCount * (view.scale * view.ratio) ** 2;
    const side = Math.round(view.ratio * Math.min(Math.max(0.24 * view.scale, 2), 7));
    this.#parts.draw(context, view, { colour: "prepared-part", width }, (tiles) => drawParts(tiles, sketch, width / 2));
    this.#ways.draw(context, view, { colour: "prepared-edge", width }, (tiles) => {
      drawWays(tiles, sketch, world.width, area / ROOM_FOR_WAY);
    });
    this.#places.draw(context, view, { colour: "prepared-place", width }, (tiles) => {
      drawPlaces(tiles, sketch, world.width, area / ROOM_FOR_PLACE, side);
    });
  }
}

function drawParts(tiles, { parts }, half) {
  const at = (cell) => Math.round(cell * tiles.scale) + half;
  for (let i = 0; i < parts.length; i += 4) {
    const [left, top, right, bottom] = [at(parts[i]), at(parts[i + 1]), at(parts[i + 2] + 1), at(parts[i + 3] + 1)];
    if (right - left < SMALLEST_PART || bottom - top < SMALLEST_PART) continue;
    tiles.line(left, top, right, top);
    tiles.line(left, top, left, bottom);
    tiles.line(right, top, right, bottom);
    tiles.line(left, bottom, right, bottom);
  }
}

function drawWays(tiles, { ways }, width, most) {
  const step = 2 * every(ways.length / 2, most);
  for (let i = 0; i < ways.length; i += step) {
    const [ax, ay] = middle(ways[i], width, tiles.scale);
    const [bx, by] = middle(ways[i + 1], width, tiles.scale);
    tiles.line(ax, ay, bx, by);
  }
}

function drawPlaces(tiles, { places }, width, most, side) {
  const step = every(places.length, most);
  for (let i = 0; i < places.length; i += step) {
    const [x, y] = middle(places[i], width, tiles.scale);
    tiles.square(Math.round(x - side / 2), Math.round(y - side / 2), side);
  }
}

/** The stride at which to draw `count` items if there is room for `most`. */
const every = (count, most) => Math.max(Math.ceil(count / Math.max(most, 1)), 1);

/** The middle of a cell in device pixels. */
function middle(cell, width, scale) {
  const y = Math.floor(cell / width);
  return [(cell - y * width + 0.5) * scale, (y + 0.5) * scale];
}
