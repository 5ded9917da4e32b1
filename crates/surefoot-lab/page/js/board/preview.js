// What a gesture will paint when it ends.

import { drawLinks } from "./markers.js";
import { ground } from "./looks.js";
import { palette } from "./palette.js";

/**
 * Draws a preview over a grid: `{kind: "boxes", boxes, cost}` with boxes `{left, top, right, bottom}` in cells, or
 * `{kind: "link", link}`.
 */
export function drawPreview(context, scale, world, preview) {
  if (preview.kind === "link") return drawLinks(context, scale, [preview.link], 0.75);
  const [red, green, blue] = ground(preview.cost);
  context.beginPath();
  for (const { left, top, right, bottom } of preview.boxes) {
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    const [x1, y1] = [Math.min(right, world.width), Math.min(bottom, world.height)];
    if (x1 > x && y1 > y) context.rect(x * scale, y * scale, (x1 - x) * scale, (y1 - y) * scale);
  }
  context.lineJoin = "miter";
  context.strokeStyle = palette.css("current");
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = `rgb(${red} ${green} ${blue})`;
  context.fill();
}
