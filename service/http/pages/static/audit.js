// Audits the whole archive on request, with its progress and a list of what is wrong.

import { announce, complaints, element } from "./calls.js";
import { headers, load } from "./tokens.js";

const part = (id) => document.getElementById(id);

const say = (text) => {
  part("audit-said").textContent = text;
  announce(text);
};

/** The lines of a response, each as what its JSON says. */
async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const each of parts) yield JSON.parse(each);
  }
}

const wrong = (report) => {
  const address = `/matches/${encodeURIComponent(report.matchId)}/dispute`;
  const verdict = report.verdict.replace("VERDICT_", "").toLowerCase().replace("_", "-");
  const entry = report.firstBad ? ` at entry ${report.firstBad}` : "";
  const why = report.why ? `: ${report.why}` : "";
  return element("li", {}, element("a", { href: address }, report.matchId), ` ${verdict}${entry}${why}`);
};

const show = ({ report, progress, summary, error }) => {
  if (report) part("audit-wrong").append(wrong(report));
  if (progress) {
    part("audit-progress").max = Math.max(Number(progress.total ?? 0), 1);
    part("audit-progress").value = Number(progress.done ?? 0);
  }
  if (summary) {
    for (const flaw of summary.flaws ?? []) part("audit-wrong").append(element("li", {}, flaw));
    const all = `${summary.matches ?? 0} matches with ${summary.entries ?? 0} entries were audited`;
    say(summary.clean ? `${all}: nothing is wrong.` : `${all}. This is wrong:`);
  }
  if (error) part("audit-wrong").append(element("li", {}, ...complaints(error)));
};

/** Show the list and the filters as they are after the audit; what it found stays. */
const relist = async () => {
  const { ok, content } = await load(location.href);
  for (const name of ok ? [".filters", ".wide"] : []) document.querySelector(name).replaceWith(content.querySelector(name));
};

document.addEventListener("click", async (event) => {
  if (event.target.id !== "audit-all") return;
  event.target.disabled = true;
  part("audit-wrong").replaceChildren();
  part("audit-progress").hidden = false;
  say("The audit has begun.");
  try {
    const response = await fetch("/shiji.record.v1.RecordService/AuditArchive", {
      method: "POST", headers: { ...headers(), "content-type": "application/json" }, body: "{}",
    });
    if (!response.ok) throw await response.json();
    for await (const each of lines(response.body)) show(each);
  } catch (fault) {
    say("The audit could not be completed.");
    show({ error: fault.message ? fault : { message: String(fault) } });
  }
  part("audit-progress").hidden = true;
  await relist().catch(() => {}); // what was found is shown in any case
  event.target.disabled = false;
});
