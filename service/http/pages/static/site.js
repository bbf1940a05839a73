// Every script of the pages. All of them, on each page: a page that asked for a token becomes the one that was wanted
// without being loaded again.

import "./tokens.js";
import { scrollToShown } from "./live.js";
import "./play.js";
import "./start.js";
import "./compare.js";
import "./audit.js";
import "./checking.js";
import { listen } from "./scripted.js";

listen();
scrollToShown();
