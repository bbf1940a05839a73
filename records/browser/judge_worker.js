// Runs the rules in Python, in a worker. The page names the address of the judge's files, or passes the files
// themselves; then it judges one file after the other.
"use strict";
(() => {
  const TYPES = { wasm: "application/wasm", mjs: "text/javascript" };
  const HOME = "/lib/python3.14/site-packages";
  const NOWHERE = "https://judge.invalid/";
  let python = null;

  const blobAddress = (content) => URL.createObjectURL(new Blob([content], { type: TYPES.mjs }));

  // Everything that Pyodide asks for is answered from memory: such a page may not load anything.
  const answerFrom = (files) => {
    self.fetch = async (request) => {
      const name = String(request.url ?? request).split("/").pop();
      if (!(name in files)) throw new Error(`this page has no file ${name}`);
      const type = TYPES[name.split(".").pop()] ?? "application/octet-stream";
      return new Response(files[name], { headers: { "content-type": type } });
    };
  };

  const bytesAt = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} could not be loaded: ${response.status}`);
    return response.arrayBuffer();
  };

  const start = async ({ base, files }) => {
    const options = {};
    let runtime;
    if (files) {
      answerFrom(files);
      runtime = await import(blobAddress(files["pyodide.mjs"]));
      options.createPyodideModule = (await import(blobAddress(files["pyodide.asm.mjs"]))).default;
    } else {
      runtime = await import(`${base}pyodide.mjs`);
    }
    const from = files ? NOWHERE : base;
    const lock = new TextDecoder().decode(await bytesAt(`${from}pyodide-lock.json`));
    python = await runtime.loadPyodide({
      ...options,
      indexURL: from,
      packageBaseUrl: from,
      lockFileContents: lock,
      env: { HOME: "/home/reader", PYTHONINSPECT: "" },
    });
    for (const name of ["libraries.zip", "shiji.zip"]) {
      python.unpackArchive(await bytesAt(`${from}${name}`), "zip", { extractDir: HOME });
    }
    python.runPython("from records.browser.judge import Judging");
  };

  // True and false say whether a signature is good; null, that this browser cannot know.
  const signatureIsGood = async ([key, message, signature]) => {
    try {
      const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
      return await crypto.subtle.verify("Ed25519", imported, signature, message);
    } catch (fault) {
      return !self.crypto?.subtle || fault.name === "NotSupportedError" ? null : false;
    }
  };

  // Python cannot wait for WebCrypto. So it first goes on past every signature and names those that it met; they
  // are checked here, and it judges again until it meets no others. What cannot be checked lowers its verdict.
  const judge = async (name, content) => {
    const began = performance.now();
    const judging = python.globals.get("Judging")(name, python.toPy(content));
    try {
      for (;;) {
        const report = judging.attempt();
        const met = judging.unknown();
        const unknown = met.toJs();
        met.destroy();
        if (!unknown.length) return { report: JSON.parse(report), milliseconds: performance.now() - began };
        for (const [at, each] of unknown.entries()) {
          const good = await signatureIsGood(each);
          if (good === null) judging.leave_unchecked(at);
          else if (good) judging.confirm(at);
          else judging.refute(at);
        }
      }
    } finally {
      judging.destroy();
    }
  };

  self.onmessage = async ({ data }) => {
    const { id, what } = data;
    try {
      if (what === "start") {
        await start(data);
        postMessage({ id, done: true });
      } else {
        postMessage({ id, done: await judge(data.name, data.content) });
      }
    } catch (fault) {
      postMessage({ id, fault: String(fault?.message ?? fault).slice(-2000) });
    }
  };
})();
