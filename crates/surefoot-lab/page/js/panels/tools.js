export function mountTools(_app, _element) {}
