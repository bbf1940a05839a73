// On a page that is one file: checks the records that it carries, as soon as it is opened.

import { fromBase64 } from "./bytes.js";
import { fillPanel } from "./check.js";

const carried = [...document.querySelectorAll("script.source")];
for (const [at, panel] of [...document.querySelectorAll(".check")].entries()) {
  const load = async () => ({ name: panel.dataset.name, content: fromBase64(carried[at].textContent) });
  fillPanel(panel, { quick: load, full: load });
}
