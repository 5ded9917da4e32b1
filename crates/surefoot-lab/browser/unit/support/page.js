// Loading the page's modules in Node. They lie in a folder without a package.json, because a browser needs none.

import { register } from "node:module";
import "./node-18.js";

register("./hooks.js", import.meta.url);

const SOURCES = new URL("../../../page/js/", import.meta.url);

/** A module of the page, named from its folder `js`. */
export const load = (path) => import(new URL(path, SOURCES));
