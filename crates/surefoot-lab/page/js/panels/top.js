export function mountTop(_app, _element) {}
