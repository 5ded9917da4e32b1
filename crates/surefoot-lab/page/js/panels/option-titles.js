// Titles of the options that the server lists by name.

import { capitalised } from "../format.js";

const TITLES = {
  moves: {
    4: "4-way",
    8: "8-way, no corner cutting",
    "8-one": "8-way, may cut corners",
    "8-free": "8-way, unrestricted",
  },
  moves3: {
    6: "6-way",
    18: "18-way, no corner cutting",
    26: "26-way, no corner cutting",
  },
  queues: {
    fifo: "FIFO queue",
    lifo: "LIFO stack",
    list: "Unsorted list",
    heap: "Binary heap",
    buckets: "Bucket queue",
  },
  terrain_rules: {
    mean: "Mean of both",
    enter: "Cell entered",
    add: "Added per cell",
  },
};

/** The title of an option; `list` is the server's list that it is in. */
export const optionTitle = (list, name) => TITLES[list]?.[name] ?? capitalised(name);
