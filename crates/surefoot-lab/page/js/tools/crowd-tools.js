// What pointers do with a crowd: place units, send them, watch one of them.

/** CSS pixels that the pointer may move in a click. */
const TREMBLE = 5;
/** CSS pixels around a small unit in which it can be chosen, for a mouse and for a finger. */
const REACH = 5;
const REACH_OF_FINGER = 14;
/** How far apart units are placed, in radii. */
const SPACING = 2.25;

/** Tools that exist only while there is a crowd. */
export const CROWD_TOOLS = ["spawn", "send"];

/**
 * The gesture that a button begins at a place while there is a crowd: the middle button places units, the right one sends their group, and so
 * do the tools for these. A click on a unit watches it; other gestures are those of `begin`.
 */
export function crowdGesture(app, at, begin) {
  const { ui } = app;
  if (at.button === 2) return sender(app);
  const other = at.button === 1 || ui.tool === "spawn" ? () => spawner(app, at) : ui.tool === "send" ? () => sender(app) : begin;
  const unit = at.button === 0 ? unitAt(app, at) : -1;
  return unit < 0 ? other() : chooser(app, unit, at, other);
}

function unitAt({ crowd, camera }, { x, y, touch }) {
  const { units } = crowd;
  const found = units.at(x, y, (touch ? REACH_OF_FINGER : REACH) / camera.scale);
  return found < 0 ? -1 : units.number(found);
}

/** Places a unit, or by dragging many, side by side. */
function spawner({ crowd, store }, from) {
  let last = null;
  const step = SPACING * crowd.radius;
  const isFree = ([x, y]) => {
    const { world } = store.doc;
    const cell = world.indexOf([Math.floor(x), Math.floor(y)]);
    return cell >= 0 && world.isOpen(cell) && crowd.units.at(x, y, crowd.radius) < 0;
  };
  return {
    move(at) {
      const places = [];
      if (!last) {
        last = [from.x, from.y];
        places.push(last);
      }
      for (let left = distance(last, at); left >= step; left = distance(last, at)) {
        last = [last[0] + ((at.x - last[0]) * step) / left, last[1] + ((at.y - last[1]) * step) / left];
        places.push(last);
      }
      const free = places.filter(isFree);
      if (free.length > 0) crowd.spawn(free);
    },
  };
}

const distance = ([x, y], at) => Math.hypot(at.x - x, at.y - y);

/** Sends the group to the cell where the button is released. */
function sender({ crowd, store, announce }) {
  return {
    up(at) {
      if (at.node < 0) return;
      const place = store.doc.world.place(at.node);
      crowd.send(place);
      announce(`Group ${crowd.group + 1} goes to ${place.join(", ")}`);
    },
  };
}

/** A click watches a unit, or no longer; a drag that begins there is what it would be elsewhere. */
function chooser({ crowd, camera }, unit, from, begin) {
  let gesture = null;
  return {
    move(at) {
      if (!gesture && distance([from.x, from.y], at) * camera.scale < TREMBLE) return;
      if (!gesture) {
        gesture = begin() ?? {};
        gesture.move?.(from);
      }
      gesture.move?.(at);
    },
    up(at) {
      if (gesture) gesture.up?.(at);
      else crowd.select(unit === crowd.selected ? null : unit);
    },
    cancel() {
      gesture?.cancel?.();
    },
  };
}
