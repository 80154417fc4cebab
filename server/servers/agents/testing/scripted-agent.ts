import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  type AgentFrame,
  type ApiFrame,
  agentProofText,
  agentProtocolVersion,
  agentSocketPath,
  apiFrame,
  apiProofText,
  type HelloFrame,
  pollAnswer,
} from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { type Answer, ask } from '../../../kernel/testing/ask.ts';
import { testAgentSecret } from './test-gateway.ts';

const v = agentProtocolVersion;
type FrameOf<Type extends ApiFrame['type']> = Extract<ApiFrame, { type: Type }>;

/** Who an agent is. */
export interface AgentIdentity {
  readonly serverId: string;
  readonly secret: string;
  readonly agentKey: string;
  readonly privateKey: KeyObject;
  readonly journal: string;
}

export const agentIdentity = (serverId: string, secret = testAgentSecret): AgentIdentity => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const agentKey = publicKey.export({ format: 'jwk' }).x ?? '';
  return { serverId, secret, agentKey, privateKey, journal: randomBytes(8).toString('hex') };
};

export const helloOf = (
  { serverId, secret, agentKey, privateKey, journal }: AgentIdentity,
  nonce: string,
  changes: Partial<HelloFrame> = {},
): HelloFrame => {
  const text = agentProofText(nonce, serverId, agentKey);
  return {
    v,
    type: 'hello',
    serverId,
    game: 'minecraft',
    nonce,
    agentKey,
    proof: createHmac('sha256', secret).update(text).digest('base64url'),
    signature: sign(null, Buffer.from(text), privateKey).toString('base64url'),
    clientNonce: randomBytes(32).toString('base64url'),
    agentVersion: 'scripted',
    clock: new Date().toISOString(),
    journal,
    ...changes,
  };
};

export interface SocketAgent extends Disposable {
  readonly socket: WebSocket;
  readonly frames: readonly ApiFrame[];
  send(frame: AgentFrame): void;
  heartbeat(number: number, players?: string[]): void;
  /** Waits for a frame of this type; takes it and everything before it. */
  next<Type extends ApiFrame['type']>(type: Type): Promise<FrameOf<Type>>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface ConnectOptions {
  /** What a proxy on this machine would send to name the agent's origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The source address of the connection. */
  readonly localAddress?: string;
}

/** A WebSocket on which nothing has been said yet. */
export const connectSocket = async (
  port: number,
  { headers = {}, localAddress }: ConnectOptions = {},
): Promise<SocketAgent> => {
  const url = `ws://127.0.0.1:${port}${agentSocketPath}`;
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    headers,
    ...(localAddress ? { localAddress } : {}),
  });
  const frames: ApiFrame[] = [];
  let taken = 0;
  socket.on('message', (data) => frames.push(apiFrame.parse(JSON.parse(String(data)))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(socket, 'open');
  // Some tests are about a cut connection; `closed` reports it.
  socket.on('error', () => socket.terminate());
  const send = (frame: AgentFrame) => socket.send(JSON.stringify(frame));
  return {
    socket,
    frames,
    send,
    heartbeat: (number, players) =>
      send({
        v,
        type: 'heartbeat',
        number,
        state: 'online',
        detail: null,
        ...(players ? { players: players.map((name) => ({ name, platformId: null, handle: name })) } : {}),
      }),
    next: (type) =>
      eventually(() => {
        const index = frames.findIndex((frame, place) => place >= taken && frame.type === type);
        if (index < 0) throw new Error(`no ${type}, but ${JSON.stringify(frames.slice(taken))}`);
        taken = index + 1;
        return frames[index] as FrameOf<typeof type>;
      }),
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  };
};

/** Connects and says who it is. */
export const greetSocket = async (
  port: number,
  identity: AgentIdentity,
  options: ConnectOptions & { readonly changes?: Partial<HelloFrame> } = {},
): Promise<SocketAgent> => {
  const agent = await connectSocket(port, options);
  const { nonce } = await agent.next('challenge');
  agent.send(helloOf(identity, nonce, options.changes));
  return agent;
};

/** Connects and is admitted by an API that knows the secret. */
export const joinSocket = async (
  port: number,
  identity: AgentIdentity,
  options: ConnectOptions & { readonly changes?: Partial<HelloFrame> } = {},
): Promise<SocketAgent> => {
  const clientNonce = randomBytes(32).toString('base64url');
  const agent = await greetSocket(port, identity, {
    ...options,
    changes: { clientNonce, ...options.changes },
  });
  const { proof } = await agent.next('welcome');
  const text = apiProofText(options.changes?.clientNonce ?? clientNonce, identity.serverId);
  if (proof !== createHmac('sha256', identity.secret).update(text).digest('base64url'))
    throw new Error('the API has not shown the secret');
  return agent;
};

export const askNonce = async (port: number, options: ConnectOptions = {}): Promise<string> => {
  const answer = await post(port, agentEndpoints.challenge.path, { v }, options);
  return String(answer.json.nonce);
};

export const post = (
  port: number,
  path: string,
  body: unknown,
  { headers = {}, localAddress }: ConnectOptions = {},
): Promise<Answer> =>
  ask(port, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(localAddress ? { localAddress } : {}),
  });

export interface PollOptions extends ConnectOptions {
  readonly nonce?: string;
  readonly frames?: readonly AgentFrame[];
  readonly hold?: boolean;
  readonly changes?: Partial<HelloFrame>;
}

/** One poll, over its own nonce unless another is given. */
export const poll = async (
  port: number,
  identity: AgentIdentity,
  options: PollOptions = {},
): Promise<Answer> => {
  const { frames = [], hold = false, changes, nonce = await askNonce(port, options) } = options;
  const hello = helloOf(identity, nonce, changes);
  return post(port, agentEndpoints.poll.path, { v, hello, frames, hold }, options);
};

export const framesOf = ({ status, json, text }: Answer): readonly ApiFrame[] => {
  if (status !== 200) throw new Error(text);
  return pollAnswer.parse(json).frames;
};

export const answered = (reply: string): CommandResult => ({
  outcome: 'answered',
  reply,
  truncated: false,
  sent: true,
  durationMs: 1,
});
