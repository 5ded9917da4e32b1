// Draws the ground, the box around the world with its axes, frames around single cells, and trails.

import { Program, vertexArray } from "./gl.js";
import { GROUND_FRAGMENT, GROUND_VERTEX, LINE_FRAGMENT, LINE_VERTEX } from "./shaders.js";

/** Numbers of a point: place and colour. */
const NUMBERS = 7;

/** The twelve edges of a box, each from a corner to another. */
function edges(least, most) {
  const corner = (bits) => least.map((value, axis) => ((bits >> axis) & 1 ? most[axis] : value));
  const all = [];
  for (let bits = 0; bits < 8; bits++) {
    for (const step of [1, 2, 4]) if (!(bits & step)) all.push([corner(bits), corner(bits | step)]);
  }
  return all;
}

/** The four edges of a layer of the world, in its middle. */
function outline(size, axis, at) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const corner = (right, up) => {
    const place = [0, 0, 0];
    place[axis] = at;
    place[u] = right * size[u];
    place[v] = up * size[v];
    return place;
  };
  const round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  return round.map((place, i) => [place, round[(i + 1) % 4]]);
}

export class FrameLayer {
  #gl;
  #lines;
  #ground;
  #array;
  #buffer;

  constructor(gl) {
    this.#gl = gl;
    this.#lines = new Program(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.#ground = new Program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.#buffer = gl.createBuffer();
    this.#array = vertexArray(gl, this.#buffer, NUMBERS * 4, [
      { at: 0, size: 3 },
      { at: 1, size: 4, offset: 12 },
    ]);
  }

  drawGround(size, { uniforms, colours }) {
    const gl = this.#gl;
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    this.#ground.use({ ...uniforms, uExtent: size, uFloor: colours.floor, uGridLine: colours.gridLine });
    gl.bindVertexArray(null);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** The box around the world; `axes` are those of its edges that are axes. */
  drawBox(size, axes, { uniforms, colours }) {
    const box = edges([0, 0, 0], size).map(([from, to]) => [from, to, colours.frame]);
    this.#draw(box, uniforms);
    this.#draw(axes.map(([from, to], axis) => [from, to, colours.axes[axis]]), uniforms);
  }

  /** Where a slice cuts, or which layer is painted. */
  drawLayer(size, axis, at, colour, { uniforms }) {
    this.#draw(outline(size, axis, at).map(([from, to]) => [from, to, colour]), uniforms);
  }

  /** The trail of a unit: points, with null where it was moved by hand. */
  drawTrail(trail, colour, { uniforms }) {
    const lines = trail.slice(1).flatMap((to, i) => (to && trail[i] ? [[trail[i], to, colour]] : []));
    this.#draw(lines, uniforms);
  }

  /** A frame around a cell, in front of everything. */
  drawCell(cell, colour, { uniforms }) {
    const gl = this.#gl;
    const grown = 0.04;
    const [least, most] = [cell.map((value) => value - grown), cell.map((value) => value + 1 + grown)];
    gl.disable(gl.DEPTH_TEST);
    this.#draw(edges(least, most).map(([from, to]) => [from, to, colour]), uniforms);
    gl.enable(gl.DEPTH_TEST);
  }

  #draw(lines, uniforms) {
    const gl = this.#gl;
    gl.enable(gl.BLEND);
    const values = lines.flatMap(([from, to, colour]) => [...from, ...colour, ...to, ...colour]);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(values), gl.DYNAMIC_DRAW);
    this.#lines.use(uniforms);
    gl.bindVertexArray(this.#array);
    gl.drawArrays(gl.LINES, 0, 2 * lines.length);
  }
}
