// Random searches as lists of events, and their bytes as docs/lab-protocol.md writes them.

export const [OPEN, RELAX, REOPEN, CLOSE] = [0, 1, 2, 3];
export const UNITS = 23780;
const NO_NODE = 0xffffffff;

/**
 * Events as a search may have them: nothing is closed that is not open, nothing reopened that is not closed. With two
 * sides, each has its own open and closed nodes. Each is `{action, side, node, parent, g, h}`; g and h in units.
 */
export function randomEvents({ below, between, pick, chance }, { nodes, length, sides = 1 }) {
  const states = Array.from({ length: sides }, () => new Map());
  const closed = Array(sides).fill(-1);
  const events = [];
  while (events.length < length) {
    const side = below(sides);
    const state = states[side];
    const open = [...state].filter(([, value]) => value === "open").map(([node]) => node);
    const close = open.length > 0 && chance(0.4);
    const node = close ? pick(open) : below(nodes);
    const known = state.get(node);
    const action = close ? CLOSE : known === undefined ? OPEN : known === "open" ? RELAX : REOPEN;
    // Most parents are the node that was closed last, which the bytes leave out.
    const parent = chance(0.6) ? closed[side] : chance(0.5) ? -1 : below(nodes);
    if (close) closed[side] = node;
    state.set(node, close ? "closed" : "open");
    events.push({ action, side, node, parent, g: between(0, 1e6), h: between(0, 1e6) });
  }
  return events;
}

/** The bytes of events. */
export function encoder() {
  const numberOf = (node) => (node < 0 ? NO_NODE : node);
  const last = { node: 0, closed: [NO_NODE, NO_NODE], g: 0, h: 0 };
  return (events) => {
    const bytes = [];
    const put = (difference) => {
      const wide = BigInt(difference);
      let left = BigInt.asUintN(64, (wide << 1n) ^ (wide >> 63n));
      for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
      bytes.push(Number(left));
    };
    for (const { action, side, node, parent, g, h } of events) {
      const spelled = numberOf(parent) !== last.closed[side];
      bytes.push(action | (side << 2) | (spelled ? 8 : 0));
      put(numberOf(node) - last.node);
      if (spelled) put(numberOf(parent) - numberOf(node));
      put(g - last.g);
      put(h - last.h);
      Object.assign(last, { node: numberOf(node), g, h });
      if (action === CLOSE) last.closed[side] = numberOf(node);
    }
    return Uint8Array.from(bytes);
  };
}

/** The events that have happened at a step: all before the node after it is closed. */
export function eventsUntil(events, step) {
  let closes = 0;
  const end = events.findIndex(({ action }) => action === CLOSE && closes++ === step);
  return end < 0 ? events : events.slice(0, end);
}
