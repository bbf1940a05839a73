// Compares transcripts, record files and bundles: sends them to the server, which judges them and stores nothing.

import { announce, complaints } from "./calls.js";
import { UnreadableFile, recordIn } from "./record_file.js";
import { load, replace } from "./tokens.js";

const inBase64 = (bytes) => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

const side = async (form, name) => {
  const [file] = form.querySelector(`[data-side="${name}"]`).files;
  const text = form.querySelector(`[data-text="${name}"]`).value;
  if (file) return { content: inBase64(recordIn(new Uint8Array(await file.arrayBuffer()))) }; // of a page, its record
  if (text.trim()) return { content: inBase64(new TextEncoder().encode(text)) };
  return { matchId: form.elements[name].value.trim() };
};

const isOwn = (form) => [...form.querySelectorAll("[data-side]")].some((each) => each.files.length)
  || [...form.querySelectorAll("[data-text]")].some((each) => each.value.trim());

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "compare-form" || !isOwn(form)) return; // two ids are an address, which the browser opens
  event.preventDefault();
  const button = form.querySelector("button");
  const refused = document.getElementById("compare-refused");
  button.disabled = true;
  refused.hidden = true;
  announce("The records are being compared.");
  try {
    const body = JSON.stringify({ one: await side(form, "a"), other: await side(form, "b") });
    const found = await load("/compare", { method: "POST", body });
    if (found.ok) {
      replace(found);
      document.getElementById("main").focus();
      return;
    }
    const [message, advice] = found.content.querySelectorAll(".verdict > *");
    refused.replaceChildren(...complaints({ message: message.textContent, advice: advice.textContent }));
  } catch (fault) {
    const message = fault instanceof UnreadableFile ? `A file cannot be read: ${fault.message}.` : "The records could not be sent.";
    refused.replaceChildren(...complaints({ message, advice: "Choose the files again, or try again in a moment." }));
  }
  button.disabled = false;
  refused.hidden = false;
  refused.focus();
});
