export function mountLog(_app, _element) {}
