// @ts-check

/**
 * The length of a text in UTF-8; lone surrogates count as the three bytes of their replacement.
 *
 * @param {string} text
 */
export function utf8Length(text) {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * A message as JSON that every parser takes: half a surrogate pair, which a page can type and paste but no UTF-8 text
 * can hold, becomes U+FFFD.
 *
 * @param {unknown} message
 */
export function spelled(message) {
  return JSON.stringify(message, (_, value) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value,
  );
}
