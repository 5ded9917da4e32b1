// Draws moving obstacles as the solids that they are.

import { POSE } from "../core/movement.js";
import { Program, bufferOf, vertexArray } from "./gl.js";
import { OBSTACLE_FRAGMENT, OBSTACLE_VERTEX } from "./obstacle-shaders.js";
import { shapeTriangles } from "./shape-mesh.js";

const NUMBERS = 6;
/** Obstacles differ in how light they are, so that those behind one another are told apart. */
const TINTS = [1, 0.9, 1.08, 0.95, 1.03];
/** The opacity of shapes while only the search is shown, and at predicted positions. */
const FAINT = 0.22;
const AWAY = 0.1;

export class ObstacleLayer {
  #gl;
  #program;
  #scene = null;
  /** `{array, buffer, count}` of each obstacle; those of one shape share theirs. */
  #meshes = [];

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, OBSTACLE_VERTEX, OBSTACLE_FRAGMENT);
  }

  /** Draws the obstacles of a scene, each in its pose; with `faint` what is behind them is seen. */
  draw(scene, poses, faint, { uniforms, colours, slice }) {
    if (scene !== this.#scene) this.#take(scene);
    const gl = this.#gl;
    gl.disable(gl.CULL_FACE);
    const cut = { uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    this.#program.use({ ...uniforms, ...cut, uInside: colours.obstacleInside });
    this.#drawSome(poses, 1, [...colours.obstacle, faint ? FAINT : 1]);
    this.#drawSome(poses, 0, [...colours.obstacle, AWAY]);
    gl.depthMask(true);
  }

  /** Draws those that are there (1), or those that are not (0). What can be seen through hides nothing. */
  #drawSome(poses, there, colour) {
    const gl = this.#gl;
    const isOpaque = colour[3] === 1;
    if (isOpaque) gl.disable(gl.BLEND);
    else gl.enable(gl.BLEND);
    gl.depthMask(isOpaque);
    this.#program.set({ uColour: colour });
    this.#meshes.forEach(({ array, count }, obstacle) => {
      const pose = poses.subarray(obstacle * POSE, (obstacle + 1) * POSE);
      if (pose[POSE - 1] !== there) return;
      this.#program.set({ uPosition: pose.subarray(0, 3), uRotation: pose.subarray(3, 7), uTint: TINTS[obstacle % TINTS.length] });
      gl.bindVertexArray(array);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    });
  }

  /** Another scene. */
  #take(scene) {
    const gl = this.#gl;
    for (const { array, buffer } of new Set(this.#meshes)) {
      gl.deleteVertexArray(array);
      gl.deleteBuffer(buffer);
    }
    const known = new Map();
    this.#meshes = scene.obstacles.map(({ shape }) => {
      const key = JSON.stringify(shape);
      if (!known.has(key)) known.set(key, this.#upload(shapeTriangles(shape)));
      return known.get(key);
    });
    this.#scene = scene;
  }

  #upload(numbers) {
    const gl = this.#gl;
    const buffer = bufferOf(gl, numbers);
    const array = vertexArray(gl, buffer, NUMBERS * 4, [{ at: 0, size: 3 }, { at: 1, size: 3, offset: 12 }]);
    return { array, buffer, count: numbers.length / NUMBERS };
  }
}
