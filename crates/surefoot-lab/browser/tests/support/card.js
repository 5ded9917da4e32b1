// What the card is asked to draw, counted at the card.

/** Listens to the card: faces of each texture, what is drawn, what is uploaded. */
export function listen() {
  const card = { uploads: [], frames: 0, draws: [], texture: null, faces: new Map() };
  globalThis.card = card;
  card.calls = () => card.draws.length;
  card.sum = () => card.draws.reduce((sum, [, , count]) => sum + count, 0);
  // Faces by direction; a row of joined ones counts as many.
  card.counts = () => {
    const counts = new Array(6).fill(0);
    for (const [texture, from, count] of card.draws) {
      for (const face of card.faces.get(texture).subarray(from, from + count)) {
        counts[(face >> 28) & 7] += ((face >> 15) & 31) + 1;
      }
    }
    return counts;
  };
  // Textures of the picture that are new.
  card.renewed = () => {
    const drawn = new Set(card.draws.map(([texture]) => texture));
    return card.uploads.filter((texture) => drawn.has(texture)).length;
  };
  const { prototype } = WebGL2RenderingContext;
  const hear = (name, note) => {
    const original = prototype[name];
    prototype[name] = function (...values) {
      note(...values);
      return original.apply(this, values);
    };
  };
  hear("bindTexture", (_, texture) => (card.texture = texture));
  hear("texSubImage2D", (...values) => {
    card.faces.set(card.texture, values.at(-1));
    card.uploads.push(card.texture);
  });
  hear("deleteTexture", (texture) => card.faces.delete(texture));
  hear("clear", () => {
    card.frames++;
    card.draws = [];
  });
  hear("drawElements", (_, count, __, offset) => card.draws.push([card.texture, offset / 24, count / 6]));
}

/** Waits until everything that happened is drawn, sharp, and asks the card about that frame before another one begins. */
export async function ask(lab, question) {
  await lab.sharp();
  const answered = (question) => lab.boards.views.every(({ drawn }) => drawn.complete) && { answer: card[question]() };
  return (await lab.until(answered, "the whole surface", question)).answer;
}
