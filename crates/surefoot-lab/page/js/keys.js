export function mountKeys(_app) {}
