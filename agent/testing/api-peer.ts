import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type ApiFrame,
  agentCloseCodes,
  agentFrame,
  agentProtocolVersion,
  agentSocketPath,
  challengeRequest,
  largestAgentFrame,
  pollRequest,
} from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { provesItself } from './peer-proof.ts';
import { createPeerState, type PeerBehaviour, type PeerState, usualBehaviour } from './peer-state.ts';

/** The API's side of the agent's protocol on real sockets, for tests; records what it received. */
export interface ApiPeer extends PeerState, AsyncDisposable {
  readonly port: number;
  readonly url: URL;
  /** Upgrades and requests so far. */
  readonly asked: { upgrades: number; challenges: number; polls: number };
  /** Open WebSockets, and polls that are held. */
  readonly sockets: ReadonlySet<WebSocket>;
  readonly held: number;
  /** Over the open WebSocket, or in the next poll's answer. */
  say(frame: ApiFrame): void;
  closeSockets(code: number): void;
  /** Cuts every connection and stops listening. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export const peerSecret = 'the-secret-of-all-the-agents';
const v = agentProtocolVersion;

export const startApiPeer = async (changes: Partial<PeerBehaviour> = {}): Promise<ApiPeer> => {
  const behaviour: PeerBehaviour = { ...usualBehaviour(peerSecret), ...changes };
  const sockets = new Set<WebSocket>();
  const connections = new Set<Socket>();
  const nonces = new Set<string>();
  const asked = { upgrades: 0, challenges: 0, polls: 0 };
  let unsaid: ApiFrame[] = [];
  let held: (() => void) | null = null;

  const say = (frame: ApiFrame) => {
    for (const socket of sockets) socket.send(JSON.stringify(frame));
    if (sockets.size > 0) return;
    unsaid.push(frame);
    held?.();
  };
  const state = createPeerState(behaviour, say);
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: largestAgentFrame });

  const greet = (socket: WebSocket) => {
    const nonce = behaviour.nextNonce();
    const send = (frame: ApiFrame) => socket.send(JSON.stringify(frame));
    send({ v, type: 'challenge', nonce });
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data) => {
      const { data: frame, error } = agentFrame.safeParse(JSON.parse(String(data)));
      if (!frame) return state.faults.push(`${error.message}: ${String(data).slice(0, 300)}`);
      if (frame.type !== 'hello') return state.hear('websocket', frame).forEach(send);
      state.hellos.push({ ...frame, mode: 'websocket' });
      const isProven = frame.nonce === nonce && provesItself(frame, behaviour.secret);
      const refuse = isProven
        ? behaviour.refuse
        : { code: 'AGENT_PROOF_WRONG' as const, retryAfterSeconds: null };
      if (refuse) {
        send({ v, type: 'refused', detail: 'no', ...refuse });
        return socket.close(agentCloseCodes.refused);
      }
      send(state.welcome(frame));
      sockets.add(socket);
      unsaid = [];
      state.waiting().forEach(send);
    });
  };

  const answer = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const problem = (response: ServerResponse, status: number, code: string) =>
    answer(response, status, { type: `urn:castellan:problem:${code}`, title: code, status, code });

  const issue = () => {
    const nonce = behaviour.nextNonce();
    nonces.add(nonce);
    return nonce;
  };
  const poll = async (response: ServerResponse, text: string) => {
    asked.polls += 1;
    const { data: request, error } = pollRequest.safeParse(JSON.parse(text));
    if (!request) {
      state.faults.push(error.message);
      return problem(response, 400, 'INVALID_REQUEST');
    }
    const { hello, frames, hold } = request;
    if (!nonces.delete(hello.nonce)) return problem(response, 401, 'AGENT_NONCE_INVALID');
    if (!provesItself(hello, behaviour.secret)) return problem(response, 401, 'AGENT_PROOF_WRONG');
    if (behaviour.refuse) return problem(response, 409, behaviour.refuse.code);
    state.hellos.push({ ...hello, mode: 'polling' });
    const said = frames.flatMap((frame) => state.hear('polling', agentFrame.parse(frame)));
    if (hold) await holdOpen(response);
    if (response.destroyed) return;
    const news = unsaid.length > 0 ? unsaid : state.waiting();
    unsaid = [];
    answer(response, 200, { v, nonce: issue(), frames: [state.welcome(hello), ...said, ...news] });
  };
  const holdOpen = async (response: ServerResponse) => {
    if (held) state.faults.push('two polls are held at once');
    if (unsaid.length > 0) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, behaviour.holdMs).unref();
      held = resolve;
      response.once('close', resolve);
    });
    held = null;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (behaviour.problem) return problem(response, behaviour.problem.status, behaviour.problem.code);
    if (Buffer.byteLength(text) > largestAgentFrame) state.faults.push('a body that is too large');
    if (request.url === agentEndpoints.poll.path) return poll(response, text);
    asked.challenges += 1;
    if (!challengeRequest.safeParse(JSON.parse(text)).success) state.faults.push('no challenge request');
    answer(response, 200, { v, nonce: issue() });
  };

  const server = createServer(
    (request, response) => void respond(request, response).catch(() => response.destroy()),
  );
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  server.on('upgrade', (request, socket, head) => {
    asked.upgrades += 1;
    socket.on('error', () => socket.destroy());
    if (behaviour.problem || behaviour.upgrades === 'refuse' || request.url !== agentSocketPath) {
      const { status, code } = behaviour.problem ?? { status: 400, code: 'INVALID_REQUEST' };
      const body = JSON.stringify({ type: 'about:blank', title: code, status, code });
      socket.end(
        `HTTP/1.1 ${status} Refused\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    } else if (behaviour.upgrades === 'drop') socket.destroy();
    else upgrades.handleUpgrade(request, socket, head, greet);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const goAway = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of connections) socket.destroy();
    await closed;
  };

  return {
    ...state,
    port,
    url: new URL(`http://127.0.0.1:${port}`),
    asked,
    sockets,
    get held() {
      return held ? 1 : 0;
    },
    say,
    closeSockets(code) {
      for (const socket of sockets) socket.close(code);
    },
    goAway,
    async comeBack() {
      // Nonces belong to the process that issued them.
      nonces.clear();
      await listen(port);
    },
    [Symbol.asyncDispose]: goAway,
  };
};
