import { isIPv4, isIPv6 } from 'node:net';
import { canonicalAddress } from '../ip-address.ts';
import { bareAddress } from './forwarded-headers.ts';

/** An IPv6 customer owns a whole /64 and may change the rest of the address at will. */
const ipv6PrefixGroups = 4;

/**
 * What a limit counts by, whatever port it is written with: the address itself for IPv4 (even when written inside IPv6), the /64 for IPv6. Null when the text is
 * not an address.
 */
export const addressGroup = (written: string): string | null => {
  const address = bareAddress(written);
  if (isIPv4(address)) return address;
  const bare = address.replace(/%.*$/, '');
  const canonical = isIPv6(bare) ? canonicalAddress(bare) : null;
  if (canonical === null || isIPv4(canonical)) return canonical;
  return `${expandGroups(canonical).slice(0, ipv6PrefixGroups).join(':')}::/64`;
};

/**
 * What a request counts by. A proxy may have written something that is not an address (`unknown`): then the
 * next text that is an address counts, and all free texts count together.
 */
export const countedAddress = (...addresses: readonly (string | undefined)[]): string => {
  for (const address of addresses) {
    const group = addressGroup(address ?? '');
    if (group !== null) return group;
  }
  return 'unknown';
};

/** The eight groups of a canonical IPv6 address. */
const expandGroups = (address: string): readonly string[] => {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  return [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
};
