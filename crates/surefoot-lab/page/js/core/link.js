// The whole lab in a link.

/** Reads a fragment: `{doc, restore(app)}`, or null if it is empty. */
export async function readLink(fragment, _about) {
  return fragment.length > 1 ? Promise.reject(new Error("This link is not understood.")) : null;
}
