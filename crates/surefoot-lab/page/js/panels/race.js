export function mountRace(_app, _element) {}
