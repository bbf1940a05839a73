// Starts the worker that runs the rules, once per page, and has it judge files.

const WORKER = "/static/judge_worker.js";

/** Where a page carries the judge itself instead of loading it. */
export const EMBEDDED = "embedded";

let started = null;
let asked = 0;

const ask = (worker, message) =>
  new Promise((resolve, reject) => {
    asked += 1;
    const id = asked;
    const answered = ({ data }) => {
      if (data.id !== id) return;
      worker.removeEventListener("message", answered);
      if (data.fault) reject(new Error(data.fault));
      else resolve(data.done);
    };
    worker.addEventListener("message", answered);
    worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker could not be started")), { once: true });
    worker.postMessage({ id, ...message });
  });

const unpacked = async (text) => {
  const raw = Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};

const carriedFiles = async () => {
  const files = {};
  for (const each of document.querySelectorAll("script.judge-file")) files[each.dataset.name] = await unpacked(each.textContent);
  return files;
};

const baseOf = async (source) => {
  const response = await fetch(source);
  const found = await response.json();
  if (!response.ok) throw new Error(found.message);
  return new URL(found.base, location.href).href;
};

const begin = async (source) => {
  if (source !== EMBEDDED) {
    const worker = new Worker(WORKER);
    await ask(worker, { what: "start", base: await baseOf(source) });
    return worker;
  }
  const script = document.getElementById("judge-worker").textContent;
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  await ask(worker, { what: "start", files: await carriedFiles() });
  return worker;
};

/** Judge a file: { report, milliseconds }. The first call starts the judge, which takes seconds. */
export const judge = async (source, name, content) => {
  started ??= begin(source);
  try {
    await started;
  } catch (fault) {
    started = null; // so that the next click tries again
    throw fault;
  }
  return ask(await started, { what: "judge", name, content });
};
