// Bytes as records write them: hexadecimal, base64, numbers, frames, SHA-256.

const UTF8 = new TextEncoder();

export const utf8 = (text) => UTF8.encode(text);

export const joined = (...parts) => {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const equalBytes = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

export const toHex = (raw) => Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/i.test(text)) throw new Error("a hash is not hexadecimal");
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
};

export const fromBase64 = (text) => {
  try {
    return Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
  } catch {
    throw new Error("something in it is not base64");
  }
};

/** A whole number of this many bytes, big-endian, in two's complement. */
export const bigEndian = (number, size) => {
  let left = BigInt(number);
  const raw = new Uint8Array(size);
  for (let at = size - 1; at >= 0; at -= 1) {
    raw[at] = Number(left & 255n);
    left >>= 8n;
  }
  return raw;
};

export const sha256 = async (raw) => new Uint8Array(await crypto.subtle.digest("SHA-256", raw));

/** The tag and a zero byte, then each part after its length; a number has eight bytes. */
export const frame = (tag, ...parts) => {
  const pieces = [utf8(tag), new Uint8Array(1)];
  for (const part of parts) {
    const raw = typeof part === "string" ? utf8(part) : part instanceof Uint8Array ? part : bigEndian(part, 8);
    pieces.push(bigEndian(raw.length, 4), raw);
  }
  return joined(...pieces);
};

export const framedHash = (tag, ...parts) => sha256(frame(tag, ...parts));
