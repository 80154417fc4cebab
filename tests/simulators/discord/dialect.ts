import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type RawData, type WebSocket as Socket, WebSocket, WebSocketServer } from 'ws';
import type { Discord } from './discord.ts';

/** Another service that speaks Discord's protocol, with separate addresses for REST, gateway and CDN. */
export interface Dialect extends AsyncDisposable {
  readonly urls: { readonly api: string; readonly gateway: string; readonly cdn: string };
  /** Requests at each. */
  readonly counts: { rest: number; gateway: number; cdn: number };
}

const text = (data: RawData): string => data.toString();

/**
 * A proxy in front of a simulated Discord with the differences of another implementation of its protocol, taken from Spacebar
 * (github.com/spacebarchat/server, src/gateway/opcodes/Identify.ts and src/gateway/util/Send.ts): version 9, dispatches
 * counted from 0, many members of READY that Discord does not send to bots, READY_SUPPLEMENTAL, no rate-limit headers, and
 * repeated nonces that post again. Its REST API names a gateway that cannot be reached from outside.
 */
export const startDialect = async (discord: Discord): Promise<Dialect> => {
  await using starting = new AsyncDisposableStack();
  const counts = { rest: 0, gateway: 0, cdn: 0 };
  const open = async (serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
    const server = createServer((request, response) => {
      serve(request, response).catch((error: Error) => response.destroy(error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    starting.defer(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  const rest = await open(async (request, response) => {
    counts.rest += 1;
    const { method = 'GET', url = '/', headers } = request;
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    const sent = isJson ? ((await json(request)) as object) : null;
    const { nonce: _nonce, enforce_nonce: _enforced, ...body } = (sent ?? {}) as Record<string, unknown>;
    const answer = await fetch(`${discord.url}${url}`, {
      method,
      headers: {
        ...(headers.authorization ? { Authorization: headers.authorization } : {}),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(isJson ? { body: JSON.stringify(Array.isArray(sent) ? sent : body) } : {}),
    });
    const told = answer.status === 204 ? '' : await answer.text();
    response.writeHead(answer.status, {
      ...(told === '' ? {} : { 'Content-Type': answer.headers.get('content-type') ?? 'application/json' }),
    });
    response.end(
      url.endsWith('/gateway/bot') ? JSON.stringify({ ...JSON.parse(told), url: 'ws://127.0.0.1:1' }) : told,
    );
  });
  const cdn = await open(async ({ url = '/' }, response) => {
    counts.cdn += 1;
    const answer = await fetch(`${discord.cdnUrl}${url}`);
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });

  const gateway = await open(async (_request, response) => {
    response.writeHead(426).end();
  });
  const gatewayUrl = gateway.origin.replace('http', 'ws');
  const sockets = new WebSocketServer({ server: gateway.server });
  starting.defer(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  const translate = (frame: { op: number; s: number | null; t: string | null; d: unknown }): object => {
    if (frame.op !== 0) return frame;
    const seen = { ...frame, s: frame.s === null ? null : frame.s - 1 };
    if (frame.t !== 'READY') return seen;
    const known = frame.d as object;
    const more = { user_settings: {}, read_state: { entries: [], partial: false }, consents: {}, users: [] };
    return { ...seen, d: { ...known, ...more, v: 9, resume_gateway_url: gatewayUrl, sessions: [] } };
  };
  const join = (client: Socket) => {
    counts.gateway += 1;
    const upstream = new WebSocket(`${discord.url.replace('http', 'ws')}/?v=10&encoding=json`);
    const waiting: string[] = [];
    client.on('message', (data) => {
      const frame = JSON.parse(text(data));
      // A resume and a heartbeat name the last dispatch.
      if (frame.op === 1 && typeof frame.d === 'number') frame.d += 1;
      if (frame.op === 6) frame.d.seq += 1;
      const line = JSON.stringify(frame);
      if (upstream.readyState === WebSocket.OPEN) upstream.send(line);
      else waiting.push(line);
    });
    upstream.on('open', () => {
      for (const line of waiting) upstream.send(line);
    });
    upstream.on('message', (data) => {
      const frame = JSON.parse(text(data));
      client.send(JSON.stringify(translate(frame)));
      if (frame.t === 'READY')
        client.send(JSON.stringify({ op: 0, t: 'READY_SUPPLEMENTAL', s: frame.s - 1, d: { guilds: [] } }));
    });
    const sendable = (code: number) => (code >= 3000 || code === 1000 ? code : 1000);
    client.on('close', (code) => upstream.close(sendable(code)));
    upstream.on('close', (code) => client.close(sendable(code)));
    upstream.on('error', () => client.terminate());
    client.on('error', () => upstream.terminate());
  };
  sockets.on('connection', join);

  const owned = starting.move();
  return {
    urls: { api: `${rest.origin}/api`, gateway: gatewayUrl, cdn: cdn.origin },
    counts,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
