// Small pictures for buttons, drawn with the text's colour.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Paths in a square of 24. A leading "!" fills the path instead of drawing its line. */
const PATHS = {
  toStart: ["M6 5v14", "!M19 5.5v13L8.5 12z"],
  stepBack: ["M17 5v14", "!M14 6v12L5 12z"],
  play: ["!M7 4.5v15L20 12z"],
  pause: ["!M6.5 5h4v14h-4z", "!M13.5 5h4v14h-4z"],
  stepForward: ["M7 5v14", "!M10 6v12l9-6z"],
  toEnd: ["M18 5v14", "!M5 5.5v13L15.5 12z"],
  run: ["M5 12h13", "M13 6.5l5.5 5.5-5.5 5.5"],
  undo: ["M8 5L4 9l4 4", "M4 9h10a5.5 5.5 0 0 1 0 11h-4"],
  redo: ["M16 5l4 4-4 4", "M20 9H10a5.5 5.5 0 0 0 0 11h4"],
  theme: ["M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17z", "!M12 3.5a8.5 8.5 0 0 1 0 17z"],
  light: [
    "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8z",
    "M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  ],
  dark: ["M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z"],
  close: ["M6 6l12 12M18 6L6 18"],
  add: ["M12 5v14M5 12h14"],
  left: ["M14.5 6L8.5 12l6 6"],
  right: ["M9.5 6l6 6-6 6"],
  diamond: ["M12 3.5l8.5 8.5-8.5 8.5L3.5 12z"],
  diamondFull: ["!M12 2.5l9.5 9.5-9.5 9.5L2.5 12z"],
  brush: ["M5 19c3 1.2 6-.2 6-3.2a2.6 2.6 0 0 0-2.7-2.6C5.6 13.2 7 17 5 19z", "M10 13L19 4l1.5 1.5-8.8 9"],
  line: ["M5 19L19 5"],
  rectangle: ["M4 6.5h16v11H4z"],
  fill: [
    "M11 3.5l7.5 7.5-7 7a1.6 1.6 0 0 1-2.2 0l-5.3-5.3a1.6 1.6 0 0 1 0-2.2z",
    "!M20.5 15.5c1.2 1.8 1.8 2.9 1.8 3.6a1.8 1.8 0 1 1-3.6 0c0-.7.6-1.8 1.8-3.6z",
  ],
  start: ["M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14z"],
  goal: ["M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16z", "!M12 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z"],
  link: ["M4 17C6 7 18 7 20 17", "M15.5 13.8L20 17l1.4-5.4"],
  gallery: ["M4 5h7v6H4zM13.5 5H20v6h-6.5zM4 13.5h7V19H4zM13.5 13.5H20V19h-6.5z"],
  newMap: ["M13.5 3.5H6v17h12V8z", "M13.5 3.5V8H18", "M12 11v6M9 14h6"],
  openFile: ["M3.5 18.5V6h6l2 2.5h7.5v2.5", "M3.5 18.5L6.5 11H22l-3 7.5z"],
  export: ["M12 4v10.5", "M7.5 10.5L12 15l4.5-4.5", "M4.5 16v4h15v-4"],
  share: ["M12 14.5V3.5", "M8 7l4-4 4 4", "M8 10.5H5.5v10h13v-10H16"],
  dice: [
    "M4.5 4.5h15v15h-15z",
    "!M8.5 7a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z",
    "!M15.5 14a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z",
    "!M12 10.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z",
  ],
  node: ["M12 6.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z", "M12 9.5v5M9.5 12h5"],
  edge: [
    "M5.5 16a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z",
    "M18.5 3a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z",
    "M7.5 16.5L16.5 7.5",
  ],
  building: ["M5 20V9l7-5 7 5v11z", "M10 20v-5h4v5"],
  drop: ["!M8 12h8v8H8z", "M12 3v6M9 6.5l3 3 3-3"],
  remove: ["M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13"],
  spawn: ["M8 4.5a3 3 0 1 0 0 6a3 3 0 1 0 0-6z", "M6.5 13.5a3 3 0 1 0 0 6a3 3 0 1 0 0-6z", "M16.5 8.5a3 3 0 1 0 0 6a3 3 0 1 0 0-6z"],
  send: ["M6 21V4", "!M6 4.5h12l-3 4 3 4H6z"],
  swap: ["M4 8.5h15M15 4.5l4 4-4 4", "M20 16H5M9 12l-4 4 4 4"],
  panelLeft: ["M4 5h16v14H4z", "M9.5 5v14"],
  panelRight: ["M4 5h16v14H4z", "M14.5 5v14"],
};

/** An icon by name. It has no name of its own: label the button. */
export function icon(name) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const text of PATHS[name]) {
    const path = document.createElementNS(NAMESPACE, "path");
    const filled = text.startsWith("!");
    path.setAttribute("d", filled ? text.slice(1) : text);
    if (filled) path.setAttribute("class", "icon-fill");
    svg.append(path);
  }
  return svg;
}
