import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { PrivateAuthority } from '#harness/private-authority.ts';

/** What a proxy does instead of opening the tunnel that it is asked for. */
export type ProxyFault =
  /** Status 200 and a page, as of a guest network's sign-in; then it closes. */
  | 'html'
  /** Cuts the connection. */
  | 'reset'
  /** Takes the request and never answers. */
  | 'silence'
  /** Status 403 or 502, as of a filter or of a name that the proxy does not know. */
  | 403
  | 502;

export interface ConnectProxyOptions {
  /** The name and password of Basic, or a scheme that no client here speaks: every request is answered with 407. */
  readonly demands?: { readonly user: string; readonly password: string } | 'NTLM' | 'Negotiate';
  /** Its version in answers; older appliances say 1.0. */
  readonly http?: '1.0' | '1.1';
  readonly fault?: ProxyFault;
  /** Opens the tunnel this much later, in milliseconds. */
  readonly delayMs?: number;
  /** Looks into TLS: shows a certificate that this authority issues for the asked name. */
  readonly intercepts?: PrivateAuthority;
  /** Ports on this machine for names that exist nowhere; others are connected to as they are. */
  readonly names?: Readonly<Record<string, number>>;
}

export interface ConnectProxy extends AsyncDisposable {
  readonly port: number;
  /** Without name and password. */
  readonly url: string;
  /** What it was asked for, in order: `CONNECT host:port`, or the method and the whole address of plain http. */
  readonly asked: string[];
}

const page = '<html><title>Welcome</title><h1>Please sign in</h1></html>';

/** An http proxy on 127.0.0.1, with CONNECT, as companies and guest networks have them. */
export const startConnectProxy = async (options: ConnectProxyOptions = {}): Promise<ConnectProxy> => {
  const { demands, http = '1.1', fault, delayMs = 0, intercepts, names = {} } = options;
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const timers = new Set<NodeJS.Timeout>();

  const isAllowed = ({ headers }: IncomingMessage): boolean => {
    if (demands === undefined) return true;
    if (typeof demands === 'string') return false;
    const expected = Buffer.from(`${demands.user}:${demands.password}`).toString('base64');
    return headers['proxy-authorization'] === `Basic ${expected}`;
  };
  const challenge = typeof demands === 'string' ? demands : 'Basic realm="proxy"';
  const targetOf = (host: string, port: number) =>
    names[host] === undefined ? { host, port } : { host: '127.0.0.1', port: names[host] };
  const follow = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };

  /** @returns true: it has been dealt with */
  const misbehaves = (socket: Duplex): boolean => {
    if (fault === undefined) return false;
    // Unread bytes would turn the end into a reset.
    socket.resume();
    if (fault === 'reset') (socket as Socket).resetAndDestroy();
    else if (fault === 'html')
      socket.end(
        `HTTP/${http} 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
      );
    else if (fault !== 'silence')
      socket.end(`HTTP/${http} ${fault} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    return true;
  };

  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (misbehaves(incoming.socket)) return;
    if (!isAllowed(incoming)) return void response.writeHead(407, { 'Proxy-Authenticate': challenge }).end();
    const url = URL.parse(incoming.url ?? '');
    if (!url) return void response.writeHead(400).end();
    const { host, port } = targetOf(url.hostname, Number(url.port || 80));
    const { 'proxy-authorization': _ours, ...headers } = incoming.headers;
    const onward = request({ host, port, path: url.pathname + url.search, method: incoming.method, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on('connection', follow);
  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (misbehaves(client)) return;
    if (!isAllowed(incoming))
      return void client.end(
        `HTTP/${http} 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    const [name = '', port = '443'] = (incoming.url ?? '').split(':');
    const open = () => {
      if (client.destroyed) return;
      const onward = connect(targetOf(name, Number(port)));
      follow(onward);
      onward.on('error', () =>
        client.end(`HTTP/${http} 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
      );
      onward.on('connect', () => {
        client.write(`HTTP/${http} 200 Connection established\r\n\r\n`);
        client.unshift(head);
        if (!intercepts) return void client.pipe(onward).pipe(client);
        const inside = new TLSSocket(client, {
          isServer: true,
          secureContext: createSecureContext(intercepts.issue([name])),
        });
        follow(inside);
        const outside = new TLSSocket(onward, { rejectUnauthorized: false });
        follow(outside);
        inside.pipe(outside).pipe(inside);
      });
      client.on('close', () => onward.destroy());
    };
    if (delayMs === 0) return open();
    const timer = setTimeout(() => {
      timers.delete(timer);
      open();
    }, delayMs);
    timers.add(timer);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
