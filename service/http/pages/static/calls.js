// Calls the methods of the service, and builds the elements that pages show their answers with.

import { ADVICE } from "./advice.js";
import { element } from "./elements.js";
import { headers } from "./tokens.js";

export { element };

/** The answer of a method as { ok, body }; the body of an error has message, advice and reason. */
export const call = async (method, request) => {
  try {
    const response = await fetch(`/shiji.record.v1.RecordService/${method}`, {
      method: "POST",
      headers: { ...headers(), "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: { message: "the server cannot be reached", advice: "Try again in a moment." } };
  }
};

/** An id for a request that no other has; also where the page is not served by TLS. */
export const requestId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The rules that a verdict or an error says are broken. */
const violations = (body) => body.violations ?? body.details?.flatMap((detail) => detail.debug?.violations ?? []) ?? [];

/** What was wrong, as elements: each broken rule with its reason, or the message of the error. */
export const complaints = (body) => {
  const broken = violations(body);
  if (!broken.length) return [element("p", {}, element("strong", {}, body.message ?? "")), element("p", {}, ADVICE[body.reason] ?? body.advice ?? "")];
  return broken.map((each) => element(
    "section", { class: "rule" },
    element("h3", {}, `${each.ruleId}: ${each.title}`),
    element("p", {}, element("strong", {}, each.why)),
    element("p", {}, `${each.text} `, element("cite", {}, each.sourceWords ?? "")),
  ));
};

/** The places that broken rules are about. */
export const placesOf = (body) => violations(body).flatMap((each) => each.places ?? []);

/** Have a screen reader say something. */
export const announce = (text) => { document.getElementById("said").textContent = text; };
