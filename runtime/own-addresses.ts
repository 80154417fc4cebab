import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

interface OwnAddress {
  readonly address: string;
  /** The adapter's name, as the system shows it. */
  readonly adapter: string;
}

type Adapters = NodeJS.Dict<readonly NetworkInterfaceInfo[]>;

/**
 * Tunnels: machines of the same network are not in them, even where all traffic of this machine takes them. Names as Windows, Linux
 * and the programs themselves give them.
 */
const tunnelName =
  /tailscale|zerotier|^zt[0-9a-z]{8}|wireguard|^wg\d|^wt\d|netbird|nebula|openvpn|wintun|^tun\d|^tap\d|tap-windows|^utun|^ppp\d|nordlynx|nordvpn|proton|mullvad|surfshark|expressvpn|hamachi|^ham\d|radmin|softether|fortinet|fortissl|anyconnect|globalprotect|pangp|cloudflare|warp|hotspot ?shield|vpn/i;

/** Switches inside this machine. One of them is the way out where the real adapter is bound to it. */
const virtualName =
  /^vethernet|hyper-v|\bwsl\b|virtualbox|^vboxnet|vmware|^vmnet|parallels|docker|^br-[0-9a-f]{12}$|^veth|^virbr|^lxc|^lxdbr|^incusbr|^podman|^cni|^cali|^flannel|^kube|npcap|loopback|bluetooth|wi-fi direct|\*\s?\d+$|teredo|isatap|6to4|^anbox|^waydroid|bluestacks|ldplayer|nox/i;

/** VirtualBox's and VMware's adapters of the host, TAP-Windows and the loopback of Microsoft, under whatever name. */
const virtualMac = /^(?:0a:00:27|00:50:56:c0|00:ff:|02:00:4c:4f:4f)/i;

/** Not reached from outside the link, or at all (RFC 3927, RFC 4291). */
const isLinkLocal = (address: string): boolean => /^(?:169\.254\.|fe[89ab][0-9a-f]:)/i.test(address);

/** Shared by providers and by Tailscale (RFC 6598). */
const isShared = (address: string): boolean => /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(address);

/** More would help no one to choose. */
const mostShown = 20;

/**
 * Addresses at which other machines could reach this one, the likeliest first: that of the adapter with the default route, then
 * those of other real ones, then those of virtual ones, then tunnels'. None that is valid on its link alone.
 * @param routed the addresses from which packets to the internet leave
 */
export const orderAddresses = (
  adapters: Adapters,
  routed: readonly string[],
  family: 'IPv4' | 'IPv6',
): OwnAddress[] => {
  const found = rankAddresses(adapters, routed).filter((each) => each.family === family);
  const unique = [...new Map(found.map((each) => [each.address, each])).values()];
  return unique
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, mostShown)
    .map(({ address, adapter }) => ({ address, adapter }));
};

const rankAddresses = (adapters: Adapters, routed: readonly string[]) =>
  Object.entries(adapters).flatMap(([adapter, addresses = []]) => {
    const isDefault = addresses.some(({ address }) => routed.includes(address));
    return addresses
      .filter(({ internal, address }) => !internal && !isLinkLocal(address))
      .map((each) => ({ ...each, adapter, rank: rankOf(adapter, each, isDefault, routed) }));
  });

/**
 * Which network a machine is in, to compare: another network, a VPN or a modem gives it another address. Empty without a network,
 * although virtual adapters and tunnels keep their addresses.
 */
export const networkAmong = (adapters: Adapters, routed: readonly string[]): string => {
  const all = rankAddresses(adapters, routed);
  if (!all.some(({ rank }) => networks.includes(rank))) return '';
  return all
    .map(({ adapter, address }) => `${adapter} ${address}`)
    .sort()
    .join();
};

/** The lower, the likelier others reach it. */
const ranks = { route: 0, besideRoute: 1, adapter: 2, virtual: 3, routingTunnel: 4, tunnel: 5 } as const;
/** A real adapter, or whichever leads to the internet. */
const networks: readonly number[] = [ranks.route, ranks.besideRoute, ranks.adapter, ranks.routingTunnel];

const rankOf = (
  adapter: string,
  { address, mac, netmask }: NetworkInterfaceInfo,
  isDefault: boolean,
  routed: readonly string[],
): number => {
  if (tunnelName.test(adapter)) return isDefault ? ranks.routingTunnel : ranks.tunnel;
  if (isDefault) return routed.includes(address) ? ranks.route : ranks.besideRoute;
  // A point-to-point link has no neighbours.
  const isAlone = netmask === '255.255.255.255' || isShared(address);
  return isAlone || virtualName.test(adapter) || virtualMac.test(mac) ? ranks.virtual : ranks.adapter;
};

/** Addresses kept for documentation (RFC 5737, RFC 3849): no machine has them, so the default route leads there. */
const outside = { udp4: '198.51.100.1', udp6: '2001:db8::1' } as const;

/** The address from which packets to the internet leave. Sends nothing. Null where there is no route. */
const routedAddress = async (type: keyof typeof outside): Promise<string | null> => {
  const socket = createSocket(type);
  try {
    const connected = once(socket, 'connect');
    socket.connect(9, outside[type]);
    await connected;
    return socket.address().address;
  } catch {
    // ENETUNREACH and its like: without a route, the order of the adapters decides.
    return null;
  } finally {
    socket.close();
  }
};

const routedAddresses = async (): Promise<string[]> =>
  (await Promise.all([routedAddress('udp4'), routedAddress('udp6')])).filter((address) => address !== null);

/** {@link networkAmong} of this machine, at this moment. */
export const ownNetwork = async (): Promise<string> => {
  const routed = await routedAddresses();
  return networkAmong(networkInterfaces(), routed);
};

/**
 * {@link orderAddresses} of this machine, at this moment.
 * @param host the address that is listened on: only `::` also takes IPv6
 */
export const ownAddresses = async (host = '0.0.0.0'): Promise<OwnAddress[]> => {
  const routed = await routedAddresses();
  const adapters = networkInterfaces();
  const four = orderAddresses(adapters, routed, 'IPv4');
  return host === '::' ? [...four, ...orderAddresses(adapters, routed, 'IPv6')] : four;
};
