// Making elements without a framework.

/** The first element that matches a selector. */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * An element with properties and children. `class`, `for`, `role`, `aria-*` and `data-*` become attributes, `on*`
 * become listeners, the rest are properties. Children that are null or false are left out.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (isAttribute(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const isAttribute = (name) => /^(class|for|role|list|aria-.*|data-.*)$/.test(name);

/** Replaces everything in an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(Boolean));
}
