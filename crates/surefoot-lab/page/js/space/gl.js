// WebGL2 with fewer words.

/** A vertex and a fragment shader, and the uniforms of both by name. */
export class Program {
  #gl;
  #program;
  #setters = new Map();

  constructor(gl, vertex, fragment) {
    this.#gl = gl;
    this.#program = gl.createProgram();
    const shaders = [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ].map(([type, source]) => this.#attach(type, source));
    gl.linkProgram(this.#program);
    // A lost context links nothing, and is not an error: what was drawn comes back with the context.
    if (!gl.getProgramParameter(this.#program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(this.#program)];
      throw new Error(logs.filter(Boolean).join("\n"));
    }
    const count = gl.getProgramParameter(this.#program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; i++) this.#learn(gl.getActiveUniform(this.#program, i));
  }

  #attach(type, source) {
    const gl = this.#gl;
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\nprecision highp int;\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(this.#program, shader);
    return shader;
  }

  #learn({ name, type }) {
    const gl = this.#gl;
    const at = gl.getUniformLocation(this.#program, name);
    const setters = {
      [gl.FLOAT]: (value) => gl.uniform1f(at, value),
      [gl.FLOAT_VEC2]: (value) => gl.uniform2fv(at, value),
      [gl.FLOAT_VEC3]: (value) => gl.uniform3fv(at, value),
      [gl.FLOAT_VEC4]: (value) => gl.uniform4fv(at, value),
      [gl.FLOAT_MAT4]: (value) => gl.uniformMatrix4fv(at, false, value),
      [gl.INT]: (value) => gl.uniform1i(at, value),
      [gl.UNSIGNED_INT]: (value) => gl.uniform1ui(at, value),
      [gl.UNSIGNED_INT_VEC3]: (value) => gl.uniform3uiv(at, value),
    };
    this.#setters.set(name, setters[type]);
  }

  /** Draws with it from now on. Values that it does not use are ignored. */
  use(values = {}) {
    this.#gl.useProgram(this.#program);
    this.set(values);
  }

  set(values) {
    for (const [name, value] of Object.entries(values)) this.#setters.get(name)?.(value);
  }
}

/**
 * A vertex array with one buffer. `attributes` are `{at, size, type, offset, whole}`: `whole` for integers.
 */
export function vertexArray(gl, buffer, stride, attributes) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  for (const { at, size, type = gl.FLOAT, offset = 0, whole = false } of attributes) {
    gl.enableVertexAttribArray(at);
    if (whole) gl.vertexAttribIPointer(at, size, type, stride, offset);
    else gl.vertexAttribPointer(at, size, type, false, stride, offset);
  }
  gl.bindVertexArray(null);
  return array;
}

/** A buffer with data in it. */
export function bufferOf(gl, data, usage = gl.STATIC_DRAW) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, usage);
  return buffer;
}

/** The triangles of a ball of radius 1 around 0: x, y, z each. */
export function ballTriangles(rings, slices) {
  const point = (ring, slice) => {
    const [down, around] = [(Math.PI * ring) / rings, (2 * Math.PI * slice) / slices];
    return [Math.sin(down) * Math.cos(around), Math.sin(down) * Math.sin(around), Math.cos(down)];
  };
  const triangles = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let slice = 0; slice < slices; slice++) {
      const [a, b] = [point(ring, slice), point(ring + 1, slice)];
      const [c, d] = [point(ring, slice + 1), point(ring + 1, slice + 1)];
      // At the poles one of the two is a line.
      if (ring > 0) triangles.push(a, b, c);
      if (ring < rings - 1) triangles.push(b, d, c);
    }
  }
  return Float32Array.from(triangles.flat());
}

/** The triangles of a tube of radius 1: cosine, sine, and 0 or 1 for its ends. */
export function tubeTriangles(sides = 12) {
  const triangles = [];
  for (let side = 0; side < sides; side++) {
    const [from, to] = [side, side + 1].map((at) => (2 * Math.PI * at) / sides);
    const point = (angle, end) => [Math.cos(angle), Math.sin(angle), end];
    const [a, b, c, d] = [point(from, 0), point(to, 0), point(from, 1), point(to, 1)];
    triangles.push(a, b, c, b, d, c);
  }
  return Float32Array.from(triangles.flat());
}
