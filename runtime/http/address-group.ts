import { isIPv4, isIPv6 } from 'node:net';

/** An IPv6 customer owns a whole /64 and may change the rest of the address at will. */
const ipv6PrefixGroups = 4;

/**
 * What a limit counts by: the address itself for IPv4 (even when written inside IPv6), the /64 for IPv6. Null when the text is
 * not an address.
 */
export const addressGroup = (address: string): string | null => {
  if (isIPv4(address)) return address;
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return null;
  const groups = expandGroups(bare);
  return embeddedIPv4(groups) ?? `${groups.slice(0, ipv6PrefixGroups).map(toHex).join(':')}::/64`;
};

/**
 * What a request counts by. A proxy may have written something that is not an address (`unknown`, or one with a port): then the
 * next text that is an address counts, and all free texts count together.
 */
export const countedAddress = (...addresses: readonly (string | undefined)[]): string => {
  for (const address of addresses) {
    const group = addressGroup(address ?? '');
    if (group !== null) return group;
  }
  return 'unknown';
};

const toHex = (group: number): string => group.toString(16);

/** The eight numbers of an IPv6 address. */
const expandGroups = (address: string): readonly number[] => {
  const [left = '', right] = withoutDottedQuad(address).split('::');
  const head = parseGroups(left);
  if (right === undefined) return head;
  const tail = parseGroups(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
};

const parseGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** `::ffff:192.0.2.1` → `::ffff:c000:201` */
const withoutDottedQuad = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(toHex).join(':'),
  );

const embeddedIPv4 = (groups: readonly number[]): string | null => {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : null;
};
