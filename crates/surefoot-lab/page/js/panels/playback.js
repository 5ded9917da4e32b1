export function mountPlayback(_app, _element) {}
