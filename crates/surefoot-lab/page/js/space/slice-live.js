// Flying units, as far as they are in the layer of the slice editor.

/** Far outside of every layer. */
const NOWHERE = [-9, -9];

/** The live mode in the coordinates of the slice's layer; its units have no paths there. */
export function sliceLive(live, slice) {
  const inLayer = (place) => slice.layer?.inPicture(place) ?? null;
  const middle = (place) => place.map((value) => value + 0.5);
  const shown = ({ board, cell, state }) => {
    const place = inLayer(cell);
    return place && { board, cell: place, at: middle(place), state, trail: [], ahead: [], knowledge: null };
  };
  return {
    get active() {
      return live.active;
    },
    get units() {
      return live.units.map(shown).filter(Boolean).slice(0, 1);
    },
    get target() {
      return (live.active && inLayer(live.target)) || NOWHERE;
    },
    sensing: null,
    on: (...listening) => live.on(...listening),
  };
}
