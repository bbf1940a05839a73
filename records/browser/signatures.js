// Ed25519 by WebCrypto, and who has signed the entries of a record.

import { equalBytes, framedHash, joined } from "./bytes.js";

const PRIME = 2n ** 255n - 19n;
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = [0n, 1n, PRIME - 1n, ORDER_8, PRIME - ORDER_8];
const ROTATE_KEY = 3;
const CHOICE = 2;
const ARBITER = -2;
const HEADER_SEATS = 5;
const HEADER_ARBITER_KEY = 10;
const SEAT_KEY = 2;
const ROTATION_KEY = 1;
const ROTATION_SIGNATURE = 2;

/** This browser cannot do what a check needs. */
export class NotInThisBrowser extends Error {}

// Under a key of small order one signature is good for every message, so it proves nothing.
const provesNothing = (key) => {
  const y = key.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n) & (2n ** 255n - 1n);
  return key.length !== 32 || y >= PRIME || SMALL_ORDER.includes(y);
};

/** Whether a signature was made with a key over a message; raises NotInThisBrowser. */
export const signatureIsGood = async (key, message, signature) => {
  if (signature.length !== 64 || provesNothing(key)) return false;
  try {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, signature, message);
  } catch (fault) {
    if (fault.name === "NotSupportedError") throw new NotInThisBrowser("Ed25519 is missing");
    return false;
  }
};

/** The fields of a protobuf message that have bytes, as [number, bytes]. */
export function* bytesFields(raw) {
  let at = 0;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (at >= raw.length || shift > 63n) throw new Error("a message is cut off");
      const byte = raw[at];
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  while (at < raw.length) {
    const tag = number();
    const kind = tag & 7;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const size = number();
      if (at + size > raw.length) throw new Error("a message is cut off");
      yield [tag >>> 3, raw.subarray(at, at + size)];
      at += size;
    } else throw new Error("a message cannot be read");
  }
}

const lastField = (raw, wanted) => {
  let found = new Uint8Array(0);
  for (const [field, value] of bytesFields(raw)) if (field === wanted) found = value;
  return found;
};

/** The key of each actor, by number, as the header of a record has them. */
const keysOf = (header) => {
  const keys = new Map();
  let seat = 0;
  for (const [field, value] of bytesFields(header.move)) {
    if (field === HEADER_SEATS) {
      const key = lastField(value, SEAT_KEY);
      if (key.length) keys.set(seat, key);
      seat += 1;
    } else if (field === HEADER_ARBITER_KEY && value.length) keys.set(ARBITER, value);
  }
  return keys;
};

/** What an actor signs: the entry as far as it is known before it is judged. */
export const claimOf = (entry) => {
  const asked = [entry.match, entry.sequence, entry.kind, entry.actor, entry.previous, entry.move];
  if (entry.version === 1) return framedHash("shiji/claim/1", ...asked);
  const lines = entry.commitments.flatMap((each, place) =>
    each.kind === CHOICE ? [entry.concealed.subarray(1 + 41 * place, 42 + 41 * place)] : [],
  );
  return framedHash("shiji/claim/2", ...asked, joined(...lines));
};

const rotated = async (keys, entry) => {
  const fresh = lastField(entry.move, ROTATION_KEY);
  const claim = await framedHash("shiji/rotation/1", entry.match, entry.sequence, entry.actor, entry.previous, fresh);
  const old = keys.get(entry.actor);
  if (!old || !(await signatureIsGood(old, claim, entry.signature))) return false;
  if (!(await signatureIsGood(fresh, claim, lastField(entry.move, ROTATION_SIGNATURE)))) return false;
  keys.set(entry.actor, fresh);
  return true;
};

/** How many entries are signed as their record requires, and the first that is not: { signed, bad, keys }. */
export const checkSignatures = async (entries) => {
  const keys = keysOf(entries[0]);
  const promised = keys.size;
  if (entries[0].signature.length) return { signed: 0, bad: 0, promised };
  let signed = 0;
  for (const entry of entries.slice(1)) {
    const key = keys.get(entry.actor);
    const good =
      entry.kind === ROTATE_KEY
        ? await rotated(keys, entry)
        : key
          ? await signatureIsGood(key, await claimOf(entry), entry.signature)
          : equalBytes(entry.signature, new Uint8Array(0));
    if (!good) return { signed, bad: entry.sequence, promised };
    if (entry.signature.length) signed += 1;
  }
  return { signed, bad: null, promised };
};
