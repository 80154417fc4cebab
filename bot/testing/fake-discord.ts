import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface FakeDiscord extends AsyncDisposable {
  readonly apiUrl: string;
  /** Tokens that it accepts. */
  readonly tokens: Set<string>;
  /** The gateway closes with this code instead of accepting a sign-in. */
  refuseWith: number | null;
  /** The next so many REST requests are answered 429. */
  throttledRequests: number;
  /** No sign-in is left for today. */
  exhausted: boolean;
  /** Sign-ins that reached the gateway. */
  readonly identified: { readonly token: string; readonly intents: number }[];
  readonly restRequests: number;
  /** Those that the bot is on, by id, with their names. */
  readonly guilds: Map<string, string>;
  /** The bot is let into one while it is connected. */
  invite(id: string, name: string): void;
  /** Closes every open connection. */
  cut(code: number): void;
}

const gatewayOp = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, hello: 10, heartbeatAck: 11 } as const;

interface Frame {
  readonly op: number;
  readonly d?: { readonly token?: string; readonly intents?: number };
}

const guildCreated = (id: string, name: string) => ({
  op: gatewayOp.dispatch,
  t: 'GUILD_CREATE',
  s: 2,
  d: {
    id,
    name,
    unavailable: false,
    owner_id: '1',
    channels: [],
    members: [],
    roles: [],
    emojis: [],
    stickers: [],
  },
});

/** The part of Discord that a sign-in meets: /gateway/bot and the gateway itself. */
export const startFakeDiscord = async (): Promise<FakeDiscord> => {
  const sockets = new Set<WebSocket>();
  const state = {
    tokens: new Set<string>(),
    refuseWith: null as number | null,
    throttledRequests: 0,
    exhausted: false,
    identified: [] as { token: string; intents: number }[],
    restRequests: 0,
    guilds: new Map<string, string>(),
  };
  const answer = (response: ServerResponse, status: number, body: object, headers = {}) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

  const server = createServer((request, response) => {
    state.restRequests += 1;
    if (state.throttledRequests > 0) {
      state.throttledRequests -= 1;
      const body = { message: 'You are being rate limited.', retry_after: 1, global: false };
      return answer(response, 429, body, { 'Retry-After': '1', 'X-RateLimit-Scope': 'shared' });
    }
    const token = request.headers.authorization?.replace('Bot ', '') ?? '';
    if (!state.tokens.has(token)) return answer(response, 401, { message: '401: Unauthorized', code: 0 });
    if (!request.url?.endsWith('/gateway/bot'))
      return answer(response, 404, { message: 'Not found', code: 0 });
    const remaining = state.exhausted ? 0 : 1000;
    answer(response, 200, {
      url: `ws://127.0.0.1:${port}`,
      shards: 1,
      session_start_limit: { total: 1000, remaining, reset_after: 60_000, max_concurrency: 1 },
    });
  });

  const gateway = new WebSocketServer({ server });
  gateway.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    send({ op: gatewayOp.hello, d: { heartbeat_interval: 41_250 } });
    socket.on('message', (bytes) => {
      const { op, d } = JSON.parse(bytes.toString()) as Frame;
      if (op === gatewayOp.heartbeat) send({ op: gatewayOp.heartbeatAck });
      if (op === gatewayOp.resume) send({ op: gatewayOp.dispatch, t: 'RESUMED', s: 2, d: {} });
      if (op !== gatewayOp.identify) return;
      state.identified.push({ token: d?.token ?? '', intents: d?.intents ?? 0 });
      if (state.refuseWith !== null) return socket.close(state.refuseWith);
      send({
        op: gatewayOp.dispatch,
        t: 'READY',
        s: 1,
        d: {
          v: 10,
          user: { id: '1000', username: 'castellan', discriminator: '0', bot: true, avatar: null },
          guilds: [...state.guilds.keys()].map((id) => ({ id, unavailable: true })),
          session_id: 'session',
          resume_gateway_url: `ws://127.0.0.1:${port}`,
          application: { id: '123456789012345678', flags: 0 },
        },
      });
      for (const [id, name] of state.guilds) send(guildCreated(id, name));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return Object.assign(state, {
    apiUrl: `http://127.0.0.1:${port}/api`,
    invite(id: string, name: string) {
      state.guilds.set(id, name);
      for (const socket of sockets) socket.send(JSON.stringify(guildCreated(id, name)));
    },
    cut(code: number) {
      for (const socket of sockets) socket.close(code);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
};
