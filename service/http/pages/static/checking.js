// Checks records in the reader's browser: that of a match on its page, and any file on the page for that.

import { checkAgain, fillPanel, moveFindings } from "./check.js";
import { headers } from "./tokens.js";

const download = async (address) => {
  const response = await fetch(address, { headers: headers() });
  if (!response.ok) {
    const error = await response.json().catch(() => ({}));
    throw new Error(error.message ?? `the server answered ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
};

const load = async (address) => ({ name: address.split("?")[0], content: await download(address) });

/** The panel of the match that is shown, if it was filled. */
let filled = null;

const quick = () => load(filled.dataset.record);
const full = () => load(filled.dataset.bundle || filled.dataset.record);

// The record is asked for when its panel comes into sight: most readers of a page do not look for it.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    if (filled === target) checkAgain(target, quick);
    else {
      filled = target;
      fillPanel(target, { quick, full });
    }
  }
});

// A new entry replaces the page, and its panel with it: what was found before is kept.
const watchPanel = () => {
  const panel = document.querySelector(".check[data-record]");
  if (!panel) return;
  if (filled?.dataset.record === panel.dataset.record) {
    moveFindings(filled, panel);
    filled = panel;
  }
  seen.observe(panel);
};
document.addEventListener("shown", watchPanel);
watchPanel();

document.addEventListener("change", (event) => {
  const [file] = event.target.closest("#check-form") ? event.target.files : [];
  if (!file) return;
  const chosen = async () => ({ name: file.name, content: new Uint8Array(await file.arrayBuffer()) });
  const panel = document.getElementById("checked");
  panel.replaceChildren();
  fillPanel(panel, { quick: chosen, full: chosen });
});
