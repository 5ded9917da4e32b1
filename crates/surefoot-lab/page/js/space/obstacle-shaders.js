// What runs on the graphics card for moving obstacles.

import { LOOK } from "./shaders.js";

/** A shape at a place, turned: `uRotation` is a quaternion. */
export const OBSTACLE_VERTEX = `
  layout(location = 0) in vec3 aPlace;
  layout(location = 1) in vec3 aNormal;
  uniform mat4 uMatrix;
  uniform vec3 uPosition;
  uniform vec4 uRotation;
  out vec3 vPosition;
  out vec3 vNormal;
  out float vDepth;
  vec3 turned(vec3 point) {
    return point + 2.0 * cross(uRotation.xyz, cross(uRotation.xyz, point) + uRotation.w * point);
  }
  void main() {
    vNormal = turned(aNormal);
    vPosition = uPosition + turned(aPlace);
    gl_Position = uMatrix * vec4(vPosition, 1.0);
    vDepth = gl_Position.w;
  }
`;

/** Where a slice cuts a shape open, its inside is visible. */
export const OBSTACLE_FRAGMENT = `
  ${LOOK}
  in vec3 vPosition;
  in vec3 vNormal;
  in float vDepth;
  uniform vec3 uEye;
  uniform vec4 uColour;
  uniform vec3 uInside;
  uniform float uTint;
  uniform int uAxis;
  uniform float uLimit;
  out vec4 colour;
  void main() {
    if (uAxis >= 0 && vPosition[uAxis] > uLimit + 1.0) discard;
    vec3 normal = normalize(vNormal);
    bool inside = dot(normal, uEye - vPosition) < 0.0;
    // Stronger than on cells: shapes have no lines that tell their faces apart.
    float light = lightOf(normal);
    vec3 shown = inside ? uInside : uColour.rgb * uTint * (0.3 + 0.7 * light * light);
    colour = vec4(fogged(shown, vDepth), uColour.a);
  }
`;
