// Whether a record is as it was written: hashes, concealed parts, signatures, the log. It judges no move.

import { bigEndian, equalBytes, framedHash, joined, sha256, utf8 } from "./bytes.js";
import { checkLog } from "./log_proof.js";
import { readFile } from "./record_file.js";
import { NotInThisBrowser, checkSignatures } from "./signatures.js";

const TAGS = { 1: utf8("shiji/entry/1\0"), 2: utf8("shiji/entry/2\0") };

/** The hash of an entry, over everything in it but the hash itself and its concealed parts. */
export const entryHash = (entry) => {
  const varying = [utf8(entry.match), utf8(entry.request), entry.move, entry.events, entry.state, entry.signature];
  if (entry.version === 2) varying.push(entry.concealed);
  return sha256(
    joined(
      TAGS[entry.version],
      bigEndian(entry.sequence, 8),
      bigEndian(entry.kind, 1),
      bigEndian(entry.actor, 2),
      bigEndian(entry.recorded, 8),
      ...varying.map((part) => bigEndian(part.length, 4)),
      entry.previous,
      ...varying,
    ),
  );
};

/** The salted digest of a concealed part of an entry. */
export const partDigest = (entry, { place, salt, content }) => {
  const { kind, audience } = entry.commitments[place];
  const slot = [entry.match, entry.sequence, place, kind, entry.actor, bigEndian(audience, 8)];
  return framedHash("shiji/part/1", ...slot, salt, content);
};

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** The first entry that is not chained to the one before, or null. */
const firstBroken = async (entries) => {
  const hashes = await Promise.all(entries.map(entryHash));
  let previous = new Uint8Array(32);
  for (const [at, entry] of entries.entries()) {
    const whole = entry.sequence === at && equalBytes(entry.previous, previous) && equalBytes(entry.hash, hashes[at]);
    if (!whole) return at;
    previous = entry.hash;
  }
  return null;
};

const chainCheck = async ({ entries, last, head }) => {
  const broken = await firstBroken(entries);
  if (broken !== null) {
    return ["bad", `Entry ${broken} is not what it was when it was recorded: its hash or its place in the chain is wrong.`];
  }
  const final = entries.at(-1);
  if (final.sequence !== last || !equalBytes(final.hash, head)) {
    return ["bad", `The file promises ${counted(last, "entry", "entries")}, but the last of them is different or missing.`];
  }
  return ["good", `All ${counted(entries.length, "entry", "entries")}, the header among them, have the hashes that follow from them and from the one before.`];
};

const partsCheck = async ({ entries }) => {
  const shown = entries.flatMap((entry) => entry.parts.map((part) => [entry, part]));
  const all = entries.reduce((sum, entry) => sum + entry.commitments.length, 0);
  if (!all) return null;
  const repeating = entries.find(({ parts }) => parts.some(({ place }, at) => at && place <= parts[at - 1].place));
  if (repeating) return ["bad", `Entry ${repeating.sequence} has a concealed part twice, or its parts in another order.`];
  for (const [entry, part] of shown) {
    const committed = entry.commitments[part.place];
    if (!committed || !equalBytes(await partDigest(entry, part), committed.digest)) {
      return ["bad", `A concealed part of entry ${entry.sequence} is not the one that the entry was recorded with.`];
    }
  }
  const left = all - shown.length;
  const rest = left ? ` ${counted(left, "part is", "parts are")} not in the file.` : "";
  return ["good", `${counted(shown.length, "concealed part fits its digest", "concealed parts fit their digests")}.${rest}`];
};

const signatureCheck = async ({ entries }) => {
  const { signed, bad, promised } = await checkSignatures(entries);
  if (bad !== null) return ["bad", `Entry ${bad} is not signed as the record requires.`];
  if (!promised) return ["none", "The record names no keys, so nothing in it is signed."];
  return ["good", `${counted(signed, "entry is", "entries are")} signed, each with the key that the record names for its actor.`];
};

const timeOf = (seconds) => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? "" : ` on ${date.toISOString().slice(0, 10)}`;
};

const logCheck = async ({ envelope, entries }) => {
  if (!envelope?.log) return ["none", "The file does not show that any log holds the record."];
  const { log, why } = await checkLog(envelope.log, entries);
  if (why) return ["bad", `It is not proved that a log holds the record: ${why}.`];
  const by = log.signers.map(({ name, time }) => (time === null ? name : `${name}${timeOf(time)}`)).join(", ");
  return ["good", `The log ${log.origin} holds every entry, in a tree of ${log.size}. Signed by ${by}; whether these are the keys that you trust, only you can know.`];
};

const CHECKS = [
  ["Hashes", chainCheck, "SHA-256"],
  ["Concealed parts", partsCheck, "SHA-256"],
  ["Signatures of seats", signatureCheck, "Ed25519"],
  ["Log", logCheck, "Ed25519"],
];

/** All checks of a file, each as { name, state, text }; the states are good, bad, none and unchecked. */
export const checkIntegrity = async (content) => {
  const file = readFile(content);
  if (file.kind === "transcript") {
    return [{ name: "Hashes", state: "none", text: "A transcript has neither hashes nor signatures; only its moves can be judged." }];
  }
  const found = [];
  for (const [name, check, algorithm] of CHECKS) {
    try {
      if (!globalThis.crypto?.subtle) throw new NotInThisBrowser();
      const result = await check(file);
      if (result) found.push({ name, state: result[0], text: result[1] });
    } catch (fault) {
      if (fault instanceof NotInThisBrowser) {
        const text = `This browser cannot check this here: it lacks ${algorithm}, or lacks it on pages that are not loaded securely.`;
        found.push({ name, state: "unchecked", text });
      } else {
        found.push({ name, state: "bad", text: `It cannot be read: ${fault.message}.` });
      }
    }
  }
  return found;
};
