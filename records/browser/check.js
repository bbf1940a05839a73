// The part of a page that checks a record in the reader's browser: hashes at once, every move on request.

import { element } from "./elements.js";
import { checkIntegrity } from "./integrity.js";
import { judge } from "./judge.js";

const STATES = { good: "Good", bad: "Wrong", none: "Nothing to check", unchecked: "Not checked" };
const SECOND = 1000;

const checkRow = ({ name, state, text }) =>
  element("li", { class: `check-${state}` }, element("b", {}, `${name}: ${STATES[state]}.`), ` ${text}`);

const ruleRow = (broken) =>
  element(
    "article",
    {},
    element("h4", {}, `${broken.rule} ${broken.title}`),
    element("p", {}, element("b", {}, broken.why)),
    element("p", {}, `${broken.text} `, element("cite", {}, broken.source)),
    ...broken.rulings.map((ruling) => element("p", {}, `Ruling: ${ruling}`)),
  );

const verdictOf = ({ report, milliseconds }) => {
  const took = `Judged here, in your browser, in ${(milliseconds / SECOND).toFixed(1)} s.`;
  const why = report.broken.length || report.sentence.includes(report.why) ? "" : report.why;
  const lines = [report.result, ...report.missing, why].filter(Boolean);
  return element(
    "section",
    { class: `verdict ${report.verdict}` },
    element("h3", { class: "said" }, report.sentence),
    ...lines.map((line) => element("p", {}, line)),
    ...(report.excerpt.length ? [element("pre", {}, report.excerpt.join("\n"))] : []),
    ...report.broken.map(ruleRow),
    element("p", { class: "small" }, took),
  );
};

/** Say of a verdict that its record has grown since; `last` is the number of its last entry now. */
const markOlder = (found, last) => {
  found.querySelector(".older")?.remove();
  const upTo = Number(found.dataset.entries);
  if (!found.firstChild || !(last > upTo)) return;
  const text = `This verdict is about the record up to entry ${upTo}; it has ${last} entries now. Judge it again to include them.`;
  found.prepend(element("p", { class: "older caution" }, text));
};

const judgeControls = (source, load) => {
  const said = element("p", { role: "status", class: "judging" });
  const found = element("div", { class: "judged" });
  const button = element("button", { type: "button", class: "judge" }, "Judge every move again here");
  button.addEventListener("click", async () => {
    button.disabled = true;
    found.replaceChildren();
    said.classList.remove("unseen");
    said.textContent = "Loading the rules into this browser, which takes some seconds the first time …";
    try {
      const { name, content } = await load();
      const judged = await judge(source, name, content);
      said.textContent = judged.report.sentence;
      said.classList.add("unseen"); // for screen readers: the verdict below has it too
      found.replaceChildren(verdictOf(judged));
      found.dataset.entries = judged.report.entries;
      markOlder(found, Number(found.closest(".check")?.dataset.last));
    } catch (fault) {
      said.textContent = `It could not be judged here: ${fault.message}`;
    }
    button.disabled = false;
  });
  return [button, said, found];
};

const whyNotHere = ({ plugin, get }) =>
  plugin
    ? element(
        "p", {},
        "The moves cannot be judged in a browser: the rules of this game come from a plug-in, which browsers do not have. Where Shiji and the plug-in are installed, this judges them: ",
        element("code", {}, "shiji verify FILE"), ".",
      )
    : element("p", {}, "The moves can be judged here too, where Shiji has its judge for browsers: ", element("code", {}, get), ".");

/** Check the hashes and signatures of a file, and list what was found. */
export const integrityList = async (list, content) => {
  try {
    const found = await checkIntegrity(content);
    list.replaceChildren(...found.map(checkRow));
  } catch (fault) {
    list.replaceChildren(checkRow({ name: "File", state: "bad", text: fault.message }));
  }
  list.dataset.done = "yes";
};

const loadAndList = async (list, load) => {
  try {
    await integrityList(list, (await load()).content);
  } catch (fault) {
    list.replaceChildren(checkRow({ name: "Record", state: "unchecked", text: fault.message }));
  }
};

/** The last check of each list. The next one waits for it, so that the newest record is the last to be shown. */
const checks = new WeakMap();

const fillList = (list, load) => {
  const next = (checks.get(list) ?? Promise.resolve()).then(() => loadAndList(list, load));
  checks.set(list, next);
  return next;
};

/** Fill a panel. `quick` loads what its hashes are checked from, `full` what is judged. */
export const fillPanel = async (panel, { quick, full }) => {
  const list = element("ul", { class: "checks" });
  const { judge: source, plugin } = panel.dataset;
  panel.append(list, ...(source && !plugin ? judgeControls(source, full) : [whyNotHere(panel.dataset)]));
  await fillList(list, quick);
};

/** Move what was found to the panel that takes the place of another: its record has grown. */
export const moveFindings = (from, to) => {
  to.append(...from.querySelectorAll(".checks, .checks ~ *"));
  const found = to.querySelector(".judged");
  if (found) markOlder(found, Number(to.dataset.last));
};

/** Check the hashes and signatures again; what was found before is shown until then. */
export const checkAgain = (panel, quick) => fillList(panel.querySelector(".checks"), quick);
