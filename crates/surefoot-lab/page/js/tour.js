export function mountTour(_app) {}
