export function mountFacts(_app, _element) {}
