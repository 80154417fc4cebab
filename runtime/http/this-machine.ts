import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
/**
 * Headers by which proxies, balancers and tunnels describe their client: RFC 7239 and 9110; `X-Real-IP` (nginx, Traefik),
 * `X-Client-IP`, `X-Cluster-Client-IP` (Zeus, Rackspace), `X-Original-*` and `X-ARR-*` (IIS), `X-Envoy-*`, `X-Amzn-Trace-Id`,
 * `X-Cloud-Trace-Context`, `X-Azure-*`, `X-AppEngine-*`; `CF-*` and `CDN-Loop` (Cloudflare), `True-Client-IP` (Akamai),
 * `CloudFront-*`, `Front-End-Https`, `X-Scheme` (ingress-nginx), `X-Url-Scheme`, `Fastly-*`, `Fly-*`, `DO-Connecting-IP`, `Incap-Client-IP`, `Tailscale-*`, `Ngrok-*`.
 */
const proxyHeader =
  /^(?:forwarded|via|cdn-loop|front-end-https|x-(?:url-)?scheme|(?:true-|incap-)?client-ip|do-connecting-ip|(?:cf|cloudfront|fastly|fly|tailscale|ngrok)-.+|x-(?:forwarded|real|client|cluster|original|originating|remote|proxied|envoy|arr|azure|appengine|amzn-trace|cloud-trace|akamai)(?:-.*)?)$/;

/** Whether a header, its name in lower case, shows that the request came through a proxy. */
export const isProxyHeader = (name: string): boolean => proxyHeader.test(name);

export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether a connection came from this machine: over loopback, or from the same address that it connects to. */
export const isOwnMachine = ({
  remoteAddress,
  localAddress,
}: Pick<Socket, 'remoteAddress' | 'localAddress'>): boolean =>
  isLoopback(remoteAddress) || (remoteAddress !== undefined && remoteAddress === localAddress);

export interface Origin {
  /** The peer of the socket itself, whatever any header says. */
  readonly peer: string | undefined;
  readonly headers: Readonly<Record<string, string[] | undefined>>;
  /** As Node names it, such as `1.1`. */
  readonly httpVersion?: string;
}

/** Of a page that a browser shows under a name that is not this machine's. */
const isOtherPage = (text: string): boolean =>
  /^https?:/i.test(text) && !(URL.canParse(text) && localHost.test(new URL(text).host));

/**
 * Whether a request was made on this machine, for it, and with nothing in between: a reverse proxy makes every client a loopback
 * peer, and DNS rebinding lets any web page send requests here under its own host name.
 */
export const isOriginThisMachine = ({ peer, headers, httpVersion }: Origin): boolean => {
  if (!isLoopback(peer)) return false;
  // nginx with `proxy_pass` alone: HTTP/1.0, the upstream's Host and no header of its own.
  if (httpVersion === '1.0') return false;
  if ([...(headers.origin ?? []), ...(headers.referer ?? [])].some(isOtherPage)) return false;
  const hosts = headers.host ?? [];
  if (hosts.length !== 1 || !localHost.test(hosts[0] ?? '')) return false;
  return !Object.keys(headers).some(isProxyHeader);
};

export const isFromThisMachine = (request: IncomingMessage): boolean =>
  isOriginThisMachine({
    peer: request.socket.remoteAddress,
    headers: request.headersDistinct,
    httpVersion: request.httpVersion,
  });
