// What runs on the graphics card for marked cells: numbers as in marked-cells.js.

import { FACES_ACROSS } from "./face-shaders.js";
import { LOOK } from "./shaders.js";

/** Of a cube only the three faces that the eye sees are drawn, four corners each. */
export const CELL_VERTEX = `
  uniform highp usampler2D uFaces;
  uniform mat4 uMatrix;
  uniform vec3 uEye;
  uniform vec3 uOrigin;
  uniform float uCell;
  uniform float uHalf;
  out float vDepth;
  flat out int vBack;
  flat out int vDirection;
  void main() {
    int face = gl_VertexID >> 2;
    int number = face / 3;
    uint cell = texelFetch(uFaces, ivec2(number % ${FACES_ACROSS}, number / ${FACES_ACROSS}), 0).r;
    vec3 middle = uOrigin + vec3(cell & 31u, (cell >> 5) & 31u, (cell >> 10) & 31u) + 0.5;
    int axis = face % 3;
    bool isLow = uEye[axis] < middle[axis] * uCell;
    vec3 corner;
    corner[axis] = isLow ? -1.0 : 1.0;
    corner[(axis + 1) % 3] = float(gl_VertexID & 1) * 2.0 - 1.0;
    corner[(axis + 2) % 3] = float((gl_VertexID >> 1) & 1) * 2.0 - 1.0;
    vDirection = 2 * axis + (isLow ? 1 : 0);
    vBack = int((cell >> 17) & 1u);
    gl_Position = uMatrix * vec4((middle + corner * uHalf) * uCell, 1.0);
    vDepth = gl_Position.w;
  }
`;

export const CELL_FRAGMENT = `
  ${LOOK}
  in float vDepth;
  flat in int vBack;
  flat in int vDirection;
  uniform vec4 uFront;
  uniform vec4 uBack;
  out vec4 colour;
  void main() {
    vec4 tint = vBack == 1 ? uBack : uFront;
    colour = vec4(fogged(tint.rgb * (0.25 + 0.75 * LIGHT[vDirection]), vDepth), tint.a);
  }
`;
