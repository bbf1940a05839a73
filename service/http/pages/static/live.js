// Keeps the page of a match up to date: reads its events, and shows the page again when there is a new entry.

import { announce } from "./calls.js";
import { headers, refresh } from "./tokens.js";

const RETRY_MILLISECONDS = 2000;
const TOO_MANY = 429;
const AGAIN = "reconnecting";

let reading = false;
let last = null;
let state = "not connected";

const place = () => document.getElementById("live");

const say = (text) => {
  state = text;
  const status = place();
  if (!status) return;
  status.dataset.state = text;
  status.firstChild.data = text;
};

const CONNECTED = ["live", "finished"];
const sayConnected = () => say(CONNECTED[Number(place()?.dataset.over === "yes")]);

/** The events of a stream, each as an object with its fields. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = {};
      for (const line of part.split("\n")) {
        const at = line.indexOf(": ");
        if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
      }
      if (fields.event) yield fields;
    }
  }
}

/** Show entries as they come; returns why it ended. */
const follow = async (status) => {
  const sent = { ...headers(), "last-event-id": String(last) };
  const response = await fetch(status.dataset.events, { headers: sent });
  if (!response.ok) return response.status === TOO_MANY ? "too many pages are open: waiting" : AGAIN;
  sayConnected();
  for await (const event of events(response.body)) {
    if (event.event !== "entry") break;
    const sequence = Number(event.id);
    const newest = Number(JSON.parse(event.data).lastSequence);
    if (newest <= sequence && place() && Number(place().dataset.last) < sequence) {
      await refresh();
    }
    last = sequence; // only now: an entry that could not be shown is read again after reconnecting
  }
  return AGAIN;
};

const run = async () => {
  const status = place();
  if (!status) return;
  if (status.dataset.latest !== "yes") {
    say("paused at an earlier entry");
    return;
  }
  last ??= Number(status.dataset.last);
  reading = true;
  while (place()) {
    say(await follow(place()).catch(() => AGAIN));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
  }
  reading = false;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
    button.textContent = "copied";
  } catch {
    button.textContent = "not copied";
  }
  setTimeout(() => { button.textContent = "copy"; }, 1500);
});

// The keys of pages that work offline; in a field and in the list of entries they do what they always do.
const STEP_KEYS = ["Home", "ArrowLeft", "ArrowRight", "End"];
document.addEventListener("keydown", (event) => {
  if (!STEP_KEYS.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (!document.querySelector(".steps") || event.target.closest?.("input, textarea, select, .entries, #moves")) return;
  event.preventDefault();
  document.querySelector(`.steps a[aria-keyshortcuts="${event.key}"]`)?.click();
});

/** Scroll the list of entries to the one that is shown; rows have their height only once buttons are shown. */
export const scrollToShown = () => {
  const list = document.querySelector(".entries");
  const shown = list && list.querySelector("[aria-current]");
  if (shown) list.scrollTop += shown.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
};

let headline = document.querySelector("h1")?.textContent;

// A page that needed a token is empty until it was asked for again.
document.addEventListener("shown", () => {
  const shown = document.querySelector("h1").textContent;
  if (place() && shown !== headline) announce(shown);
  headline = shown;
  if (reading && CONNECTED.includes(state)) sayConnected();
  else if (reading) say(state);
  else run();
});
run();
