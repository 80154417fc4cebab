/** Tab, line feed, carriage return and space are skipped. */
const blanks: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/**
 * CurseForge's fingerprint of a file: MurmurHash2 with seed 1 over its bytes without whitespace, as a 32-bit number.
 * The API does not document it, but launchers agree on it, such as PrismLauncher's `launcher/modplatform/flame`.
 */
export const fingerprintOf = (content: Buffer): number => {
  const bytes = content.filter((byte) => !blanks.has(byte));
  const m = 0x5bd1e995;
  let hash = 1 ^ bytes.length;
  let at = 0;
  for (; bytes.length - at >= 4; at += 4) {
    let k =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    k = Math.imul(k, m);
    k ^= k >>> 24;
    hash = Math.imul(hash, m) ^ Math.imul(k, m);
  }
  const rest = bytes.subarray(at);
  if (rest.length > 0) {
    for (const [index, byte] of rest.entries()) hash ^= byte << (8 * index);
    hash = Math.imul(hash, m);
  }
  hash = Math.imul(hash ^ (hash >>> 13), m);
  return (hash ^ (hash >>> 15)) >>> 0;
};
