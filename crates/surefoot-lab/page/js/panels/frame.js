// Panels that follow something fast are brought up to date once a frame.

/** A function that runs `update` in the next frame, once, however often it is called before. */
export function onceAFrame(update) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      update();
    });
  };
}
