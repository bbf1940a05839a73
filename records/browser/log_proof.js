// The proof in a bundle that a log holds every entry: a signed checkpoint, and hashes that lead to its root.

import { bigEndian, equalBytes, fromBase64, joined, sha256, utf8 } from "./bytes.js";
import { signatureIsGood } from "./signatures.js";

const BY_LOG = 1;
const BY_WITNESS = 4;
const TIME_BYTES = 8;
const ID_BYTES = 4;
const DASH = "— ";

/** Why it is not proved that the log holds the record. */
class Unproven extends Error {}

const require = (holds, why) => {
  if (!holds) throw new Unproven(why);
};

const parseNote = (text) => {
  const split = text.lastIndexOf("\n\n");
  require(split > 0 && text.endsWith("\n"), "its checkpoint is no signed note");
  const signatures = text.slice(split + 2, -1).split("\n").map((line) => {
    const [name, encoded, ...more] = line.slice(DASH.length).split(" ");
    require(line.startsWith(DASH) && encoded && !more.length, "a signature of its checkpoint cannot be read");
    const raw = fromBase64(encoded);
    return { name, id: raw.subarray(0, ID_BYTES), value: raw.subarray(ID_BYTES) };
  });
  return { text: text.slice(0, split + 1), signatures };
};

const parseCheckpoint = (text) => {
  const [origin, size, root] = text.split("\n");
  require(origin && /^(0|[1-9][0-9]{0,15})$/.test(size ?? ""), "its checkpoint cannot be read");
  return { origin, size: Number(size), root: fromBase64(root ?? "") };
};

const parseKey = async (text) => {
  const [name, id, ...rest] = text.split("+");
  const material = fromBase64(rest.join("+"));
  const own = (await sha256(joined(utf8(`${name}\n`), material))).subarray(0, ID_BYTES);
  require(bigEndian(parseInt(id, 16) || 0, ID_BYTES).every((byte, at) => byte === own[at]), "a key was changed");
  return { name, id: own, shown: `${name}+${id}`, type: material[0], raw: material.subarray(1) };
};

/** Whether a key made a signature below a note; the time of a witness's, in seconds, or null. */
const checkSignature = async (note, key, signature) => {
  const whose = `the signature of ${key.shown} below the checkpoint`;
  require(key.name === signature.name && equalBytes(key.id, signature.id), `${whose} is another's`);
  require(key.type === BY_LOG || key.type === BY_WITNESS, `${whose} is of a kind that this page does not know`);
  if (key.type === BY_LOG) {
    require(await signatureIsGood(key.raw, utf8(note.text), signature.value), `${whose} is wrong`);
    return null;
  }
  const time = signature.value.subarray(0, TIME_BYTES).reduce((seconds, byte) => seconds * 256n + BigInt(byte), 0n);
  const signed = utf8(`cosignature/v1\ntime ${time}\n${note.text}`);
  require(await signatureIsGood(key.raw, signed, signature.value.subarray(TIME_BYTES)), `${whose} is wrong`);
  return Number(time);
};

const leafHash = (hash) => sha256(joined(Uint8Array.of(0), hash));
const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

/** The first leaf of the right subtree over these leaves (RFC 6962, 2.1). */
const splitOf = (start, end) => {
  let width = 1;
  while (width * 2 < end - start) width *= 2;
  return start + width;
};

/** The root that a proof leads to from some leaves, given by their index in ascending order. */
const rootOf = async (leaves, size, proof) => {
  const left = [...proof];
  const subtree = async (inside, start, end) => {
    if (!inside.length) {
      require(left.length, "the proof has too few hashes");
      return left.shift();
    }
    if (end - start === 1) return inside[0][1];
    const split = splitOf(start, end);
    const before = await subtree(inside.filter(([index]) => index < split), start, split);
    return nodeHash(before, await subtree(inside.filter(([index]) => index >= split), split, end));
  };
  const root = await subtree(leaves, 0, size);
  require(!left.length, "the proof has too many hashes");
  return root;
};

const proven = async ({ checkpoint: text, keys: texts, positions, hashes }, entries) => {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.text);
  const keys = await Promise.all(texts.map(parseKey));
  require(keys.length === note.signatures.length, "its checkpoint has other signatures than keys");
  require(new Set(keys.map((key) => key.shown)).size === keys.length, "a key occurs twice");
  const times = [];
  for (const [at, key] of keys.entries()) times.push(await checkSignature(note, key, note.signatures[at]));
  const byLog = keys.some((key) => key.type === BY_LOG && key.name === checkpoint.origin);
  require(byLog, `the log ${checkpoint.origin} has not signed the checkpoint`);
  const ascending = positions.every((place, at) => place > (at ? positions[at - 1] : 0) && place <= checkpoint.size);
  require(ascending && positions.length === entries.length, "the proof is of other entries");
  const leaves = await Promise.all(entries.map(async (entry, at) => [positions[at] - 1, await leafHash(entry.hash)]));
  const root = await rootOf(leaves, checkpoint.size, hashes.map(fromBase64));
  require(equalBytes(root, checkpoint.root), "the proof leads to another root than that of the checkpoint");
  return { ...checkpoint, signers: keys.map((key, at) => ({ name: key.shown, time: times[at] })) };
};

/** Whether a log holds every entry: { log } with its signers, or { why } it is not proved. */
export const checkLog = async (log, entries) => {
  try {
    return { log: await proven(log, entries) };
  } catch (fault) {
    if (fault instanceof Unproven) return { why: fault.message };
    if (fault instanceof TypeError || fault.message?.includes("base64")) return { why: "the proof cannot be read" };
    throw fault;
  }
};
