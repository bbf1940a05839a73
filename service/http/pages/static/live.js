// Keeps the page of a match up to date: reads its events, and shows the page again when there is a new entry.

import { headers, show } from "./tokens.js";

const RETRY_MILLISECONDS = 2000;

let reading = null;
let last = null;

const place = () => document.getElementById("live");

const say = (text) => {
  const status = place();
  if (!status) return;
  status.dataset.state = text;
  status.firstChild.data = text;
};

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

const follow = async (status, signal) => {
  const sent = { ...headers(), "last-event-id": String(last) };
  const response = await fetch(status.dataset.events, { headers: sent, signal });
  if (!response.ok) throw new Error(String(response.status));
  say("live");
  for await (const event of events(response.body)) {
    if (event.event !== "entry") return;
    last = Number(event.id);
    const position = JSON.parse(event.data);
    if (Number(position.lastSequence) > last) continue;
    await show(location.href);
    say("live");
  }
};

const run = async () => {
  const status = place();
  if (!status) return;
  if (status.dataset.latest !== "yes") {
    say("paused at an earlier entry");
    return;
  }
  last ??= Number(status.dataset.last);
  reading = new AbortController();
  const { signal } = reading;
  while (!signal.aborted) {
    try {
      await follow(place(), signal);
    } catch {
      // Reported below, and tried again.
    }
    if (signal.aborted) return;
    say("reconnecting");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
  }
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
  button.textContent = "copied";
  setTimeout(() => { button.textContent = "copy"; }, 1500);
});

// The list of entries begins at the one that is shown.
const current = () => {
  const list = document.querySelector(".entries");
  const shown = list && list.querySelector("[aria-current]");
  if (shown) list.scrollTop += shown.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
};
current();

// A page that needed a token is empty until it was asked for again.
document.addEventListener("shown", () => { if (!reading) run(); });
run();
