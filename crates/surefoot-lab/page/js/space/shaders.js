// What runs on the graphics card. World coordinates are cells.

/** Light by direction: +x, -x, +y (south), -y, up, down; and what is far fades into the background. */
export const LOOK = `
  uniform vec3 uBackground;
  uniform vec2 uFog;
  const float LIGHT[6] = float[6](0.86, 0.74, 0.92, 0.68, 1.0, 0.55);
  vec3 fogged(vec3 colour, float depth) {
    return mix(colour, uBackground, 0.72 * smoothstep(uFog.x, uFog.y, depth));
  }
  float lightOf(vec3 normal) {
    vec3 share = normal * normal;
    return share.x * (normal.x > 0.0 ? LIGHT[0] : LIGHT[1])
      + share.y * (normal.y > 0.0 ? LIGHT[2] : LIGHT[3])
      + share.z * (normal.z > 0.0 ? LIGHT[4] : LIGHT[5]);
  }
`;

/** The cell of a node. */
const NUMBERING = `
  uniform uvec3 uSize;
  vec3 cellOf(uint node) {
    uint row = node / uSize.x;
    return vec3(node % uSize.x, row % uSize.y, row / uSize.y);
  }
`;

/** Lines from cells of a search to their parents, where these are no neighbours. */
export const JUMP_VERTEX = `
  ${NUMBERING}
  layout(location = 0) in uvec3 aJump;
  uniform mat4 uMatrix;
  uniform uint uNow;
  uniform int uAxis;
  uniform float uLimit;
  uniform vec4 uColour;
  out vec4 vColour;
  void main() {
    vec3 cell = cellOf(aJump.x);
    vec3 parent = cellOf(aJump.y);
    bool shown = aJump.z >= uNow;
    if (uAxis >= 0 && (cell[uAxis] > uLimit || parent[uAxis] > uLimit)) shown = false;
    vColour = uColour;
    vec3 end = (gl_VertexID & 1) == 0 ? cell : parent;
    gl_Position = shown ? uMatrix * vec4(end + 0.5, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

export const LINE_VERTEX = `
  layout(location = 0) in vec3 aPlace;
  layout(location = 1) in vec4 aColour;
  uniform mat4 uMatrix;
  out vec4 vColour;
  void main() {
    vColour = aColour;
    gl_Position = uMatrix * vec4(aPlace, 1.0);
  }
`;

export const LINE_FRAGMENT = `
  in vec4 vColour;
  out vec4 colour;
  void main() {
    colour = vColour;
  }
`;

/** The ground below the lowest cells. */
export const GROUND_VERTEX = `
  uniform mat4 uMatrix;
  uniform vec3 uExtent;
  out vec2 vAt;
  out float vDepth;
  void main() {
    vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1) * uExtent.xy;
    gl_Position = uMatrix * vec4(vAt, -0.02, 1.0);
    vDepth = gl_Position.w;
  }
`;

export const GROUND_FRAGMENT = `
  ${LOOK}
  in vec2 vAt;
  in float vDepth;
  uniform vec3 uFloor;
  uniform vec4 uGridLine;
  out vec4 colour;
  float lines(vec2 at) {
    vec2 wide = fwidth(at);
    vec2 inside = min(fract(at), 1.0 - fract(at));
    vec2 on = 1.0 - smoothstep(vec2(0.0), wide, inside);
    return max(on.x, on.y) * (1.0 - smoothstep(0.06, 0.3, max(wide.x, wide.y)));
  }
  void main() {
    float line = max(0.6 * lines(vAt), lines(vAt / 8.0));
    colour = vec4(fogged(mix(uFloor, uGridLine.rgb, min(line * uGridLine.a * 2.0, 1.0)), vDepth), 1.0);
  }
`;
