import { isIPv6 } from 'node:net';

/** What one client can easily have many of counts as one: an IPv6 network of 64 bits, and an IPv4 address as it is. */
export const addressBlock = (address: string): string => {
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const groups = expand(bare);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIPv4) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};

const groupCount = 8;

/** The eight groups of an IPv6 address. URL's parser writes every spelling in one way. */
const expand = (address: string): readonly number[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = canonical.split('::');
  const groupsOf = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  return [...head, ...Array<number>(groupCount - head.length - tail.length).fill(0), ...tail];
};
