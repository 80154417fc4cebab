import { BlockList } from 'node:net';
import { canonicalAddress } from './ip-address.ts';

/** Ranges that IANA's registries of special-purpose addresses exclude from the public internet (RFC 6890 and its updates). */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4');

/** In IPv6 only 2000::/3 is assigned; these ranges within it lead elsewhere: into IPv4 (Teredo, 6to4), or nowhere. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6');

/** Whether an address is a host of the public internet; NAT64 and similar addresses, which embed another address, are not. */
export const isPublicAddress = (text: string): boolean => {
  const address = canonicalAddress(text);
  if (address === null) return false;
  if (!address.includes(':')) return !special.check(address, 'ipv4');
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
};
