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

/**
 * Of a cube only the three faces that the eye sees are drawn, with eight corners in place of 36. They lie around the
 * corner that is nearest to the eye; the last corner of a triangle tells its face.
 */
const CUBE = `
  uniform mat4 uMatrix;
  uniform vec3 uEye;
  uniform float uHalf;
  uniform int uAxis;
  uniform float uLimit;
  out float vDepth;
  flat out int vBack;
  const vec3 CORNERS[8] = vec3[8](
    vec3(1, 1, 1), vec3(1, -1, 1), vec3(1, -1, -1), vec3(1, 1, -1),
    vec3(-1, 1, -1), vec3(-1, 1, 1), vec3(-1, -1, 1), vec3(1, -1, 1));
  flat out vec3 vNormal;
  void putCube(bool shown, vec3 middle, vec3 reach) {
    vec3 side = vec3(
      uEye.x < middle.x ? -1.0 : 1.0, uEye.y < middle.y ? -1.0 : 1.0, uEye.z < middle.z ? -1.0 : 1.0);
    vec3 face = gl_VertexID < 4 ? vec3(1, 0, 0) : gl_VertexID < 6 ? vec3(0, 1, 0) : vec3(0, 0, 1);
    vNormal = face * side;
    vec3 corner = middle + CORNERS[gl_VertexID] * side * reach;
    gl_Position = shown ? uMatrix * vec4(corner, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    vDepth = gl_Position.w;
  }
`;

/** Cells of a search: an instance is an event, shown from its turn until the next one at the same cell. */
export const SEARCH_VERTEX = `
  ${NUMBERING}
  ${CUBE}
  layout(location = 0) in uvec4 aEvent;
  uniform uint uNow;
  uniform int uClosed;
  void main() {
    uint node = aEvent.x;
    bool closed = (aEvent.z & 3u) == 3u;
    bool shown = aEvent.y >= uNow && closed == (uClosed == 1);
    vec3 cell = cellOf(node);
    if (uAxis >= 0 && cell[uAxis] > uLimit) shown = false;
    vBack = int((aEvent.z >> 2) & 1u);
    putCube(shown, cell + 0.5, vec3(uHalf));
  }
`;

export const SEARCH_FRAGMENT = `
  ${LOOK}
  flat in vec3 vNormal;
  in float vDepth;
  flat in int vBack;
  uniform vec4 uFront;
  uniform vec4 uBack;
  out vec4 colour;
  void main() {
    vec4 tint = vBack == 1 ? uBack : uFront;
    colour = vec4(fogged(tint.rgb * (0.25 + 0.75 * lightOf(vNormal)), vDepth), tint.a);
  }
`;

/** Rows of cells: x, y, z and how many. */
export const ROW_VERTEX = `
  ${CUBE}
  layout(location = 0) in vec4 aRow;
  void main() {
    float along = uAxis == 0 ? min(aRow.w, uLimit + 1.0 - aRow.x) : aRow.w;
    bool shown = along > 0.0 && (uAxis < 1 || aRow[uAxis] <= uLimit);
    vec3 middle = aRow.xyz + vec3(0.5 * along, 0.5, 0.5);
    vec3 reach = vec3(0.5 * along - 0.5 + uHalf, uHalf, uHalf);
    vBack = 0;
    putCube(shown, middle, reach);
  }
`;

/** Cells by their numbers. */
export const CELL_VERTEX = `
  ${NUMBERING}
  ${CUBE}
  layout(location = 0) in uint aNode;
  void main() {
    vec3 cell = cellOf(aNode);
    bool shown = uAxis < 0 || cell[uAxis] <= uLimit;
    vBack = 0;
    putCube(shown, cell + 0.5, vec3(uHalf));
  }
`;

/** Lines from cells of a search to their parents, where these are no neighbours. */
export const JUMP_VERTEX = `
  ${NUMBERING}
  layout(location = 0) in uvec4 aEvent;
  uniform mat4 uMatrix;
  uniform uint uNow;
  uniform int uAxis;
  uniform float uLimit;
  uniform vec4 uColour;
  out vec4 vColour;
  void main() {
    vec3 cell = cellOf(aEvent.x);
    bool shown = aEvent.y >= uNow && aEvent.w != 0xffffffffu;
    vec3 parent = shown ? cellOf(aEvent.w) : cell;
    vec3 apart = abs(cell - parent);
    shown = shown && max(apart.x, max(apart.y, apart.z)) > 1.0;
    if (uAxis >= 0 && (cell[uAxis] > uLimit || parent[uAxis] > uLimit)) shown = false;
    vColour = uColour;
    vec3 end = gl_VertexID == 0 ? cell : parent;
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
