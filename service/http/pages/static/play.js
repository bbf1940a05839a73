// Plays a seat on the page of a match. The server lists the legal moves; places that are pointed at, a kind of
// move and words narrow the list until one move is left, which is shown with what it causes and confirmed.
// Nothing here knows a game: places are the names that the board and its panels have.

import { announce, call, complaints, element, placesOf, requestId } from "./calls.js";
import { headers, refresh } from "./tokens.js";

const LISTED = 50;
const TYPING_MILLISECONDS = 150;

let filter = { places: [], kind: "", text: "" };
let played = "";
let asked = 0;
let timer = 0;

const panel = () => document.querySelector('#play[data-state="awaited"]');
const part = (id) => document.getElementById(id);
const seat = () => ({ seat: Number(panel().dataset.seat) });
const stored = () => ({ matchId: panel().dataset.match, sequence: panel().dataset.sequence });

const mark = (name, places) => {
  for (const each of document.querySelectorAll("[data-place]")) each.classList.toggle(name, places.includes(each.dataset.place));
};

const chip = (text, pressed, change) => {
  const button = element("button", { type: "button", "aria-pressed": String(pressed) }, text);
  button.addEventListener("click", change);
  return element("li", {}, button);
};

const change = (changes) => {
  filter = { ...filter, ...changes };
  list(true);
};

const count = (number) => `${number.toLocaleString("en")} legal move${number === 1 ? "" : "s"}`;

/** List the moves that pass the filter; where only one is left after a choice, it is the one to confirm. */
const list = async (chosen) => {
  const number = ++asked;
  const { ok, body } = await call("ListLegalMoves", { stored: stored(), actor: seat(), pageSize: LISTED, filter });
  if (number !== asked || !panel()) return;
  part("move-refused").hidden = true;
  part("move-chosen").hidden = true;
  if (!ok) { refuse(body); return; }
  const { moves = [], kinds = [], places = [], totalSize = 0 } = body;
  mark("can", places);
  mark("pointed", filter.places);
  mark("wrong", []);
  part("move-kinds").replaceChildren(...(kinds.length > 1 || filter.kind ? kinds.map((each) =>
    chip(`${each.name} ${each.count}`, each.name === filter.kind, () => change({ kind: each.name === filter.kind ? "" : each.name }))) : []));
  part("move-places").replaceChildren(...filter.places.map((place) =>
    chip(`${place} ×`, true, () => change({ places: filter.places.filter((each) => each !== place) }))));
  part("moves").replaceChildren(...moves.map((move) => {
    const button = element("button", { type: "button" }, element("bdi", {}, short(move.text)), ...explained(move));
    button.addEventListener("click", () => choose(listed(move), move.text, move.places ?? [], true, move));
    return element("li", {}, button);
  }));
  const more = totalSize > moves.length ? `; the first ${moves.length} are listed` : "";
  part("move-count").textContent = count(totalSize) + more;
  announce(count(totalSize));
  if (chosen && totalSize === 1) {
    const [only] = moves;
    choose(listed(only), only.text, only.places ?? [], !filter.text, only);
  }
};

/** A move without the name of its seat, which the heading has. */
const short = (text) => (text.startsWith(`${panel().dataset.name} `) ? text.slice(panel().dataset.name.length + 1) : text);

/** A listed move, to be checked and played. */
const listed = (move) => ({ encoded: { actor: seat(), data: move.data } });

/** What the cards are that a move names by their ids, as an element beside its text; none where the text says it all. */
const explained = ({ explanation }) => (explanation ? [" ", element("span", { class: "explanation" }, explanation)] : []);

const refuse = (body, text) => {
  const refused = part("move-refused");
  refused.replaceChildren(element("h3", { class: "said", id: "refused-title", tabindex: "-1" }, text ? `${text} is not legal` : "This cannot be played"), ...complaints(body));
  refused.hidden = false;
  part("move-chosen").hidden = true;
  mark("wrong", placesOf(body));
  announce(refused.textContent);
};

/** The error of words that are no move, with the place in what was written: the server counts the name of the seat, too. */
const asWritten = (body, text) => {
  const [, column, why] = (body.reason === "UNREADABLE_MOVE" && /^column (\d+): (.*)$/s.exec(body.message)) || [];
  const at = column - (text.length - short(text).length);
  return why ? { ...body, message: at > 1 ? `${why} (character ${at})` : why } : body;
};

/** Draw what the move would lead to, below its words; a drawing that does not come is not missed. */
const draw = async (number, move) => {
  const chosen = part("move-chosen");
  chosen.setAttribute("aria-busy", "true");
  try {
    const response = await fetch("/preview", {
      method: "POST", headers: { ...headers(), "content-type": "application/json" }, body: JSON.stringify({ stored: stored(), move }),
    });
    if (!response.ok) return;
    const { board = "", panels = [] } = await response.json();
    if (number !== asked || !part("move-confirm")) return;
    const drawn = new DOMParser().parseFromString(`<div class="preview"><div class="board">${board}</div>${panels.join("")}</div>`, "text/html").body.firstChild;
    for (const each of drawn.querySelectorAll("[data-place]")) each.removeAttribute("data-place"); // the board itself is pointed at
    if (board || panels.length) chosen.append(drawn);
  } catch {
    // The words say the same.
  } finally {
    if (number === asked) chosen.removeAttribute("aria-busy");
  }
};

/** Show a move with what it causes, to be confirmed; or why it is not legal. One that was written has no explanation. */
const choose = async (move, text, places, focus, { explanation = "" } = {}) => {
  const number = ++asked;
  const { ok, body } = await call("CheckMove", { stored: stored(), move });
  if (number !== asked || !panel()) return;
  if (!ok || !body.legal) { refuse(ok ? body : asWritten(body, text), ok ? short(text) : ""); return; }
  mark("pointed", places);
  mark("wrong", []);
  part("move-refused").hidden = true;
  played = requestId();
  const confirm = element("button", { type: "button", class: "main", id: "move-confirm" }, panel().dataset.secret ? "Seal this choice" : "Play this move");
  confirm.addEventListener("click", () => append(move, confirm));
  const back = element("button", { type: "button" }, "Another move");
  back.addEventListener("click", () => { filter = { places: [], kind: "", text: "" }; part("move-text").value = ""; list(false); part("move-text").focus(); });
  part("move-chosen").replaceChildren(
    element("h3", {}, element("bdi", {}, short(text))),
    ...(explanation ? [element("p", { class: "explanation" }, explanation)] : []),
    element("ul", { class: "events" }, ...(body.events ?? []).map((event) => element("li", {}, event))),
    confirm, " ", back,
  );
  part("move-chosen").hidden = false;
  draw(number, move);
  announce([short(text), explanation, ...(body.events ?? [])].filter(Boolean).join(". "));
  if (focus) confirm.focus();
};

const append = async (move, button) => {
  button.disabled = true;
  const { ok, body } = await call("AppendMove", {
    matchId: panel().dataset.match, expectedSequence: panel().dataset.sequence, requestId: played, move,
  });
  if (ok) filter = { places: [], kind: "", text: "" };
  else {
    button.disabled = false;
    if (panel()) refuse(body);
    if (body.code !== "aborted") return;
  }
  try {
    await refresh();
  } catch {
    return; // live.js shows it once the server can be reached again
  }
  if (ok) part("play-title")?.focus();
};

const written = () => {
  const text = part("move-text").value.trim();
  const { name } = panel().dataset;
  return text === name || text.startsWith(`${name} `) ? text : `${name} ${text}`;
};

document.addEventListener("submit", (event) => {
  if (event.target.id !== "move-form") return;
  event.preventDefault();
  clearTimeout(timer);
  if (!part("move-text").value.trim()) return;
  choose({ text: written() }, written(), [], true);
});

document.addEventListener("input", (event) => {
  if (event.target.id !== "move-text") return;
  clearTimeout(timer);
  filter = { ...filter, text: event.target.value }; // at once, as a new entry may replace the field
  timer = setTimeout(() => { if (panel()) list(true); }, TYPING_MILLISECONDS);
});

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("[data-place]")?.dataset.place;
  if (!place || !panel() || event.target.closest("#play")) return;
  const { places } = filter;
  change({ places: places.includes(place) ? places.filter((each) => each !== place) : [...places, place] });
});

// The arrow keys go from the words to the moves and among them.
document.addEventListener("keydown", (event) => {
  if (!["ArrowDown", "ArrowUp"].includes(event.key) || !event.target.closest?.("#move-text, #moves")) return;
  const stops = [part("move-text"), ...part("moves").querySelectorAll("button")];
  const next = stops[stops.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

const begin = () => {
  if (!panel()) return;
  part("move-text").value = filter.text;
  list(false);
};
document.addEventListener("shown", begin);
begin();
