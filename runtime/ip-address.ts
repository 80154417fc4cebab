import { isIP } from 'node:net';

/**
 * One spelling for each address: IPv6 in lower case and compressed, an IPv4-mapped one as its IPv4 address. Null when the text is
 * not an address, or one with a zone.
 */
export const canonicalAddress = (text: string): string | null => {
  if (isIP(text) === 0 || text.includes('%')) return null;
  if (isIP(text) === 4) return text;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ]);
  return bytes.join('.');
};
