// The painter and the tools of each kind of world that flat boards show. To add a kind, import it here: its module defines how its
// worlds are read and written (see `defineKind` in core/world.js), its painter and its tools.

import { GraphTools } from "../tools/graph-tools.js";
import { GridTools } from "../tools/grid-tools.js";
import { GraphPainter } from "./graph-painter.js";
import { GridPainter } from "./grid-painter.js";

export const KINDS = {
  grid: { Painter: GridPainter, Tools: GridTools },
  graph: { Painter: GraphPainter, Tools: GraphTools },
};
