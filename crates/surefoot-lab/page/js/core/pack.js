// Bytes as short text for addresses: deflated, in base64 that needs no escaping.

const CHUNK = 0x8000;

/** Compresses bytes. */
export async function pack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return toText(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The bytes in a text. Fails as soon as they are more than `most`, however little text they came from. */
export async function unpack(text, most) {
  const stream = new Blob([toBytes(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const pieces = [];
  let length = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Bytes as base64. */
export function toBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** The bytes of base64. */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

const toText = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
