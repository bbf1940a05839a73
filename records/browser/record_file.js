// Reads record files, bundles, and the record that a page carries. It checks nothing.

import { bigEndian, fromBase64, fromHex, joined } from "./bytes.js";

const CARRIED = /<script type="application\/vnd\.shiji\.record" class="source">([^<]*)<\/script>/g;
const VERSION_2 = 2;

/** A file that this script cannot read; shiji verify says more about it. */
export class UnreadableFile extends Error {}

const whole = (number) => {
  if (!Number.isSafeInteger(number)) throw new UnreadableFile("a number in it is too large for this browser");
  return number;
};

/** What everybody sees of the concealed parts, as the hash covers it. */
const concealedBytes = (commitments) =>
  joined(
    Uint8Array.of(VERSION_2),
    ...commitments.flatMap((each) => [bigEndian(each.kind, 1), bigEndian(each.audience, 8), each.digest]),
  );

const audienceOf = (seats) => seats.reduce((bits, seat) => bits | (1n << BigInt(seat)), 0n);

const entryOf = (match, version, line) => {
  const read = JSON.parse(line);
  const commitments = (read.concealed ?? []).map((each) => ({
    kind: whole(each.kind),
    audience: audienceOf(each.audience),
    digest: fromHex(each.digest),
  }));
  return {
    match,
    sequence: whole(read.sequence),
    kind: whole(read.kind),
    actor: whole(read.actor),
    move: fromBase64(read.move),
    events: fromBase64(read.events),
    state: fromHex(read.state),
    request: String(read.request),
    recorded: whole(read.recorded),
    previous: fromHex(read.previous),
    hash: fromHex(read.hash),
    signature: fromBase64(read.signature ?? ""),
    version,
    commitments,
    concealed: version === VERSION_2 ? concealedBytes(commitments) : new Uint8Array(0),
    parts: (read.parts ?? []).map((each) => ({
      place: whole(each.place),
      salt: fromHex(each.salt),
      content: fromBase64(each.content),
    })),
  };
};

const recordOf = (lines) => {
  const first = JSON.parse(lines[0]);
  const version = { "shiji-record/1": 1, "shiji-record/2": VERSION_2 }[first.format];
  if (!version) throw new UnreadableFile(`this page does not read the format ${String(first.format).slice(0, 40)}`);
  if (lines.length < 2) throw new UnreadableFile("it has no header");
  const match = String(first.match);
  return {
    match,
    last: whole(first.last),
    head: fromHex(first.head),
    entries: lines.slice(1).map((line) => entryOf(match, version, line)),
  };
};

/** The record in a page of ours, or the bytes as they are. */
export const recordIn = (content) => {
  const begin = new TextDecoder().decode(content.slice(0, 64)).trimStart().toLowerCase();
  if (!begin.startsWith("<!doctype html>")) return content;
  const found = [...new TextDecoder().decode(content).matchAll(CARRIED)];
  if (found.length !== 1) throw new UnreadableFile("this page carries no record, or more than one");
  return fromBase64(found[0][1]);
};

/** Whether bytes can be a transcript: text that begins with a tag or a comment. */
const isTranscript = (raw) => {
  try {
    return /^\s*[[;]/.test(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    return false;
  }
};

/** What a file holds: { kind: "transcript" }, or a record with its entries, and the envelope of a bundle. */
export const readFile = (content) => {
  const raw = recordIn(content);
  if (raw.find((byte) => byte > 32) !== "{".charCodeAt(0)) {
    if (isTranscript(raw)) return { kind: "transcript" };
    throw new UnreadableFile("it is unreadable: no transcript, record, bundle or page that Shiji wrote");
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    const lines = text.replace(/\n$/, "").split("\n");
    if (!text.startsWith('{"format":"shiji-bundle/')) return { kind: "record", ...recordOf(lines) };
    return { kind: "bundle", envelope: JSON.parse(lines[0]), ...recordOf(lines.slice(1)) };
  } catch (fault) {
    throw fault instanceof UnreadableFile ? fault : new UnreadableFile(`it cannot be read: ${fault.message}`);
  }
};
