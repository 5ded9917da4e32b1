// Tells Node that the page's files are ES modules.

const PAGE = new URL("../../../page/", import.meta.url).href;

export function load(url, context, next) {
  return next(url, url.startsWith(PAGE) ? { ...context, format: "module" } : context);
}
