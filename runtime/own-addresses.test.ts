import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { networkAmong, orderAddresses, ownAddresses, ownNetwork } from './own-addresses.ts';

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo =>
  ({
    address,
    netmask: '255.255.255.0',
    family: isIPv4(address) ? 'IPv4' : 'IPv6',
    mac: '10:e7:c6:37:6a:67',
    internal: false,
    cidr: null,
    ...more,
  }) as NetworkInterfaceInfo;

const wsl = { 'vEthernet (WSL (Hyper-V firewall))': [at('172.29.112.1', { mac: '00:15:5d:ea:95:09' })] };
const box = { 'Ethernet 2': [at('192.168.56.1', { mac: '0a:00:27:00:00:0b' })] };
const vmware = { 'VMware Network Adapter VMnet8': [at('192.168.106.1', { mac: '00:50:56:c0:00:08' })] };
const tailscale = { Tailscale: [at('100.101.102.103', { netmask: '255.255.255.255' })] };
const noLease = { 'Ethernet 4': [at('169.254.87.12'), at('fe80::57:1')] };
const lan = { Ethernet: [at('192.168.1.20'), at('2001:db8::20'), at('fe80::1')] };

// Guarantee: the address of the network that people are in comes first, however many virtual adapters Windows lists before it, and
// none is offered that no other machine reaches. Lists as in expo/expo-cli#359, obsproject/obs-websocket#928, vercel/serve#761,
// microsoft/WSL#6288 (PANGP), microsoft/WSL#5676 (169.254).
test.each<[string, NodeJS.Dict<NetworkInterfaceInfo[]>, string[], string[]]>([
  [
    'WSL, VirtualBox, VMware and a VPN before the LAN',
    { ...noLease, ...wsl, ...box, ...vmware, ...tailscale, ...lan },
    ['192.168.1.20'],
    ['192.168.1.20', '172.29.112.1', '192.168.56.1', '192.168.106.1', '100.101.102.103'],
  ],
  [
    'the same without a route',
    { ...wsl, ...box, ...lan },
    [],
    ['192.168.1.20', '172.29.112.1', '192.168.56.1'],
  ],
  [
    'two real adapters',
    { 'Ethernet 3': [at('10.0.0.5')], ...lan },
    ['192.168.1.20'],
    ['192.168.1.20', '10.0.0.5'],
  ],
  [
    'a second address of the first adapter',
    { Ethernet: [at('10.9.9.9'), at('192.168.1.20')], 'Ethernet 3': [at('10.0.0.5')] },
    ['192.168.1.20'],
    ['192.168.1.20', '10.9.9.9', '10.0.0.5'],
  ],
  [
    'a VPN that takes all traffic',
    { NordLynx: [at('10.5.0.2')], ...lan },
    ['10.5.0.2'],
    ['192.168.1.20', '10.5.0.2'],
  ],
  ['nothing but a VPN', { 'OpenVPN Wintun': [at('10.8.0.6')] }, ['10.8.0.6'], ['10.8.0.6']],
  [
    'the real adapter bound to a switch of Hyper-V',
    { ...box, 'vEthernet (External)': [at('192.168.1.20')], 'Wi-Fi': [at('192.168.2.7')] },
    ['192.168.1.20'],
    ['192.168.1.20', '192.168.2.7', '192.168.56.1'],
  ],
  [
    'a tunnel under a name of no program',
    { 'Ethernet 3': [at('192.168.252.243', { netmask: '255.255.255.255' })], ...lan },
    ['192.168.1.20'],
    ['192.168.1.20', '192.168.252.243'],
  ],
  [
    'a rented server with an address for itself alone',
    {
      eth0: [at('203.0.113.9', { netmask: '255.255.255.255' })],
      docker0: [at('172.17.0.1')],
      'br-0123456789ab': [at('172.18.0.1')],
    },
    ['203.0.113.9'],
    ['203.0.113.9', '172.17.0.1', '172.18.0.1'],
  ],
  [
    'a bridge of Proxmox',
    { vmbr0: [at('192.168.1.20')], virbr0: [at('192.168.122.1')], wg0: [at('10.6.0.1')] },
    ['192.168.1.20'],
    ['192.168.1.20', '192.168.122.1', '10.6.0.1'],
  ],
  [
    'Windows sharing its connection',
    { 'Local Area Connection* 10': [at('192.168.137.1')], 'Wi-Fi': [at('192.168.1.20')] },
    ['192.168.1.20'],
    ['192.168.1.20', '192.168.137.1'],
  ],
  ['no network', { ...noLease, Loopback: [at('127.0.0.1', { internal: true })] }, [], []],
  ['no adapter', {}, [], []],
])('%s', (_what, adapters, routed, expected) => {
  expect(orderAddresses(adapters, routed, 'IPv4').map(({ address }) => address)).toEqual(expected);
});

// Guarantee: the name of the adapter stands beside its address, and IPv6 is offered without what is valid on the link alone.
test('names, and IPv6', () => {
  expect(orderAddresses({ ...wsl, ...lan }, ['192.168.1.20'], 'IPv6')).toEqual([
    { address: '2001:db8::20', adapter: 'Ethernet' },
  ]);
});

// Guarantee: a machine with ten thousand adapters gets a list that a person can read, its own first.
test('ten thousand adapters', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `veth${index}`,
      [at(`10.${index >> 8}.${index & 255}.1`), at(`fe80::${index.toString(16)}`)],
    ]),
  );
  const found = orderAddresses({ ...many, ...lan }, ['192.168.1.20'], 'IPv4');
  expect(found).toHaveLength(20);
  expect(found[0]).toEqual({ address: '192.168.1.20', adapter: 'Ethernet' });
});

// Guarantee: adapters that keep their addresses while the cable is pulled are no network, and what leads to the internet is one, under
// whatever name.
test.each<[string, NodeJS.Dict<NetworkInterfaceInfo[]>, string[], boolean]>([
  ['the cable is pulled', { ...noLease, ...wsl, ...box, ...vmware, ...tailscale }, [], false],
  ['a LAN beside them', { ...noLease, ...wsl, ...box, ...vmware, ...tailscale, ...lan }, [], true],
  ['a modem', { ...wsl, ppp0: [at('203.0.113.9', { netmask: '255.255.255.255' })] }, ['203.0.113.9'], true],
  ['a switch of Hyper-V', { 'vEthernet (External)': [at('192.168.1.20')] }, ['192.168.1.20'], true],
  ['IPv6 alone', { Ethernet: [at('2001:db8::20'), at('fe80::1')] }, [], true],
  ['no adapter', {}, [], false],
])('network: %s', (_what, adapters, routed, isThere) => {
  expect(networkAmong(adapters, routed) !== '').toBe(isThere);
});

// Guarantee: another address, or a VPN, is another network.
test('another network', () => {
  const networks = [lan, { ...lan, ...noLease }, { Ethernet: [at('10.0.0.5')] }, { ...lan, ...tailscale }];
  const [one, sameAgain, ...others] = networks.map((adapters) => networkAmong(adapters, []));
  expect(sameAgain).toBe(one);
  expect(new Set([one, ...others]).size).toBe(3);
});

test('this machine', async () => {
  const own = await ownNetwork();
  expect(own).toBe(await ownNetwork());
  for (const { address, adapter } of await ownAddresses('::')) {
    expect(address).not.toMatch(/^(?:127\.|169\.254\.|fe80:|::1$)/);
    expect(adapter).not.toBe('');
  }
});
