import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from '../ip-address.ts';
import { isPublicAddress } from '../public-address.ts';

/** Names that networks use within themselves: RFC 6761, 6762 (with appendix G), 8375, and ICANN's `internal`. */
const localNames = /(?:^|\.)(?:localhost|local|lan|home|corp|private|intranet|internal|home\.arpa)$/;

/** Hosts that no proxy of the internet leads to: this machine, its network, and names without a dot. */
const isLocal = (host: string): boolean =>
  isIP(host) === 0 ? !host.includes('.') || localNames.test(host) : !isPublicAddress(host);

const isWithin = (subnet: string, host: string): boolean => {
  const [network = '', prefix = ''] = subnet.split('/');
  const address = canonicalAddress(network);
  const family = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  if (address === null || !/^\d{1,3}$/.test(prefix) || isIP(address) !== isIP(host)) return false;
  if (Number(prefix) > (isIP(address) === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family(address));
  return list.check(host, family(host));
};

/** Windows' form: any letters in place of each star. */
const isLike = (pattern: string, host: string): boolean =>
  new RegExp(`^${pattern.replace(/[^\w*-]/g, '\\$&').replace(/\*+/g, '.*')}$`).test(host);

const matches = (typed: string, host: string, port: string): boolean => {
  // Browsers accept a scheme before it.
  const entry = typed.replace(/^[a-z]+:\/\//, '').replace(/\/$/, '');
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(entry, host);
  const [, bracketed, plain, entryPort] = /^(?:\[([^\]]+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain;
  if (name === undefined || (entryPort !== undefined && entryPort !== port)) return false;
  const address = canonicalAddress(name);
  if (address !== null) return address === host;
  // Windows' form of an address: 10.20.*
  if (/^[\d.]+\*$/.test(name)) return host.startsWith(name.slice(0, -1)) && isIP(host) === 4;
  const domain = name.replace(/^\*?\./, '');
  if (domain.includes('*')) return isLike(name, host);
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
};

const usualPorts: Readonly<Record<string, string>> = { 'https:': '443', 'wss:': '443' };

/**
 * Whether an address is asked without the proxy.
 * @param noProxy entries between commas, semicolons or blanks: `*`, a host, a domain with everything below it, each with a port or
 * without; an address, a subnet (10.0.0.0/8), and Windows' forms: 10.20.*, *example.com, https://example.com, `<local>`
 */
export const isDirect = ({ hostname, port, protocol }: URL, noProxy: string): boolean => {
  const bare = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const host = canonicalAddress(bare) ?? bare;
  const entries = noProxy.toLowerCase().split(/[\s,;]+/);
  return (
    isLocal(host) ||
    entries.some((entry) => entry !== '' && matches(entry, host, port || (usualPorts[protocol] ?? '80')))
  );
};
