/** The length of a text in UTF-8 bytes; contracts may use neither Node's Buffer nor the browser's TextEncoder. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += 1 + Number(point > 0x7f) + Number(point > 0x7ff) + Number(point > 0xffff);
  }
  return bytes;
};
