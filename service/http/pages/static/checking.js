// Checks records in the reader's browser: that of a match on its page, and any file on the page for that.

import { checkAgain, fillPanel, moveFindings } from "./check.js";
import { element } from "./elements.js";
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

/** How long a record that has grown waits for its next check while its panel is out of sight, spread over all readers. */
const GROWN_MILLISECONDS = 5_000;

/** The panel of the match that is shown. */
let filled = null;
let waiting = null;

const quick = () => load(filled.dataset.record);
const full = () => load(filled.dataset.bundle || filled.dataset.record);
// A bundle also has the log's proof, but the server judges the whole match for it: only for those who look at the panel.
const withProof = () => (filled.dataset.log ? full() : quick());

/** Say above the board what is wrong with the record: its panel may be out of sight. */
const warn = () => {
  document.querySelector(".unsound")?.remove();
  const wrong = filled?.querySelector(".check-bad");
  if (!wrong) return;
  const words = element("p", { class: "said" }, "Your browser found that something is wrong with this record. ", element("a", { href: "#integrity" }, "See what"));
  document.querySelector(".banner").after(element("section", { class: "verdict corrupt audited unsound", role: "alert" }, words));
};

const check = async (checking) => {
  clearTimeout(waiting);
  waiting = null;
  await checking();
  warn();
};
const again = (from) => filled.querySelector(".checks") && check(() => checkAgain(filled, from));
const againQuickly = () => again(quick);

/** Call it when the page is painted and the browser has nothing else to do. */
const atLeisure = (work) => (globalThis.requestIdleCallback ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 200));

const againWhenLooked = () => {
  if (document.hidden) document.addEventListener("visibilitychange", againQuickly, { once: true });
  else atLeisure(againQuickly);
};

// Where its panel is in sight, a record that has grown is checked at once, and elsewhere after a while.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    if (filled === target) again(withProof);
  }
});

// A new entry replaces the page, and its panel with it: what was found before is kept.
const watchPanel = () => {
  const panel = document.querySelector(".check[data-record]");
  if (!panel) return;
  if (filled?.dataset.record === panel.dataset.record) {
    moveFindings(filled, panel);
    filled = panel;
    warn();
    seen.observe(panel);
    waiting ??= setTimeout(againWhenLooked, GROWN_MILLISECONDS * (1 + Math.random()));
  } else {
    filled = panel;
    atLeisure(async () => {
      await check(() => fillPanel(filled, { quick, full })); // filled, as the page may have been replaced since
      if (filled.dataset.log) seen.observe(filled);
    });
  }
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
