// What runs on the graphics card for what is solid: faces as in faces.js.

import { LOOK } from "./shaders.js";

/** Faces in a row of the texture that holds them. */
export const FACES_ACROSS = 256;

/** Four corners a face. Faces are looked up by number: small shapes drawn one by one, as instances, cost more than what they show. */
export const FACE_VERTEX = `
  uniform highp usampler2D uFaces;
  uniform mat4 uMatrix;
  uniform vec3 uOrigin;
  uniform float uCell;
  uniform int uAxis;
  uniform float uLimit;
  uniform float uGrow;
  out vec2 vAt;
  out vec3 vPosition;
  out float vDepth;
  flat out float vLength;
  flat out vec4 vShade;
  flat out int vDirection;
  flat out int vKind;
  void main() {
    int number = gl_VertexID >> 2;
    uint face = texelFetch(uFaces, ivec2(number % ${FACES_ACROSS}, number / ${FACES_ACROSS}), 0).r;
    int direction = int((face >> 28) & 7u);
    int axis = direction >> 1;
    int first = (axis + 1) % 3;
    int second = (axis + 2) % 3;
    vec3 place = uOrigin + vec3(face & 31u, (face >> 5) & 31u, (face >> 10) & 31u);
    float along = float((face >> 15) & 31u) + 1.0;
    bool hidden = uAxis >= 0 && place[uAxis] > uLimit;
    if (first == uAxis) along = min(along, uLimit + 1.0 - place[uAxis]);
    vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
    if ((direction & 1) == 1) corner = corner.yx;
    else place[axis] += 1.0;
    place[first] += corner.x * along;
    place[second] += corner.y;
    vAt = corner * vec2(along, 1.0);
    vLength = along;
    uint shade = face >> 20;
    vShade = vec4(shade & 3u, (shade >> 2) & 3u, (shade >> 4) & 3u, (shade >> 6) & 3u) / 3.0;
    vDirection = direction;
    vKind = int(face >> 31);
    vPosition = place * uCell;
    // Rows of faces end beside the middles of others, where rounding would leave holes of a pixel: all are drawn a little larger.
    float grown = uGrow * (uMatrix * vec4(vPosition, 1.0)).w;
    vec3 shown = vPosition;
    shown[first] += (2.0 * corner.x - 1.0) * grown;
    shown[second] += (2.0 * corner.y - 1.0) * grown;
    gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : uMatrix * vec4(shown, 1.0);
    vDepth = gl_Position.w;
  }
`;

export const FACE_FRAGMENT = `
  ${LOOK}
  in vec2 vAt;
  in vec3 vPosition;
  in float vDepth;
  flat in float vLength;
  flat in vec4 vShade;
  flat in int vDirection;
  flat in int vKind;
  uniform vec3 uLow;
  uniform vec3 uHigh;
  uniform vec3 uCut;
  uniform float uHeight;
  uniform float uDarkest;
  uniform float uLine;
  out vec4 colour;
  void main() {
    vec2 share = vec2(vAt.x / vLength, vAt.y);
    float light = mix(mix(vShade.x, vShade.y, share.x), mix(vShade.z, vShade.w, share.x), share.y);
    vec3 base = vKind == 1 ? uCut : mix(uLow, uHigh, clamp(vPosition.z / uHeight, 0.0, 1.0));
    if (vKind == 1) {
      float diagonal = dot(vPosition, vec3(1.0)) * 2.0;
      float wide = fwidth(diagonal);
      float stripe = smoothstep(0.5 - wide, 0.5 + wide, abs(fract(diagonal) - 0.5) * 2.0);
      base *= 1.0 - 0.1 * stripe * (1.0 - smoothstep(0.2, 0.6, wide));
    }
    vec3 shown = base * LIGHT[vDirection] * mix(uDarkest, 1.0, light);
    vec2 wide = fwidth(vAt);
    vec2 inside = min(fract(vAt), 1.0 - fract(vAt));
    vec2 lines = 1.0 - smoothstep(vec2(0.0), 1.4 * wide, inside);
    float fade = 1.0 - smoothstep(0.06, 0.3, max(wide.x, wide.y));
    shown *= 1.0 - uLine * max(lines.x, lines.y) * fade;
    colour = vec4(fogged(shown, vDepth), 1.0);
  }
`;
