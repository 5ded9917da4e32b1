// What runs on the graphics card for the path and its ends.

import { LOOK } from "./shaders.js";

/** Tubes from one point to another. They never become thinner than uThinnest pixels. */
export const TUBE_VERTEX = `
  layout(location = 0) in vec3 aCorner;
  layout(location = 1) in vec3 aFrom;
  layout(location = 2) in vec3 aTo;
  uniform mat4 uMatrix;
  uniform float uRadius;
  uniform float uThinnest;
  uniform float uGrow;
  out vec3 vNormal;
  out float vDepth;
  void main() {
    vec3 along = normalize(aTo - aFrom);
    vec3 side = normalize(cross(abs(along.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), along));
    vNormal = side * aCorner.x + cross(along, side) * aCorner.y;
    vec3 middle = mix(aFrom, aTo, aCorner.z);
    float depth = (uMatrix * vec4(middle, 1.0)).w;
    float radius = max(uRadius, uThinnest * depth);
    gl_Position = uMatrix * vec4(middle + vNormal * radius * uGrow, 1.0);
    vDepth = depth;
  }
`;

export const BALL_VERTEX = `
  layout(location = 0) in vec3 aCorner;
  layout(location = 1) in vec4 aBall;
  uniform mat4 uMatrix;
  uniform float uThinnest;
  uniform float uGrow;
  out vec3 vNormal;
  out float vDepth;
  out vec3 vPosition;
  void main() {
    vNormal = aCorner;
    vec3 middle = aBall.xyz;
    float depth = (uMatrix * vec4(middle, 1.0)).w;
    float radius = max(aBall.w, uThinnest * depth);
    vPosition = middle + aCorner * radius * uGrow;
    gl_Position = uMatrix * vec4(vPosition, 1.0);
    vDepth = depth;
  }
`;

export const PLAIN_FRAGMENT = `
  ${LOOK}
  in vec3 vNormal;
  in float vDepth;
  uniform vec4 uColour;
  uniform float uLit;
  out vec4 colour;
  void main() {
    float light = mix(1.0, 0.35 + 0.65 * lightOf(normalize(vNormal)), uLit);
    colour = vec4(uColour.rgb * light, uColour.a);
  }
`;

/** A ball with a rim: seen from anywhere, it is a ring around a disc. */
export const RING_FRAGMENT = `
  ${LOOK}
  in vec3 vNormal;
  in vec3 vPosition;
  in float vDepth;
  uniform vec3 uEye;
  uniform vec4 uColour;
  uniform vec3 uRim;
  uniform float uRimWidth;
  uniform float uRimAlpha;
  out vec4 colour;
  void main() {
    float facing = dot(normalize(vNormal), normalize(uEye - vPosition));
    float across = sqrt(max(1.0 - facing * facing, 0.0));
    float wide = fwidth(across);
    float rim = smoothstep(1.0 - uRimWidth - wide, 1.0 - uRimWidth + wide, across);
    vec3 core = uColour.rgb * (0.6 + 0.4 * lightOf(normalize(vNormal)));
    colour = vec4(mix(core, uRim, rim), mix(uColour.a, uRimAlpha, rim));
  }
`;
