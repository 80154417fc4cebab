import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  type AgentFrame,
  type ApiFrame,
  agentProofText,
  agentProtocolVersion,
  agentSocketPath,
  type HelloFrame,
} from '#contracts/agent-protocol.ts';

const v = agentProtocolVersion;

/** One of many agents: speaks the protocol and costs little, so that what is measured is the API. */
export interface SwarmAgent {
  /** Resolves when the first heartbeat is acknowledged. */
  connect(port: number): Promise<void>;
  heartbeat(): void;
  close(): void;
  /** Heartbeats that were acknowledged. */
  readonly acknowledged: () => number;
}

export interface SwarmAgentOptions {
  readonly serverId: string;
  readonly secret: string;
  /** How many players the server has; the same ones all the time. */
  readonly players: number;
  readonly onClose: () => void;
}

export const createSwarmAgent = ({ serverId, secret, players, onClose }: SwarmAgentOptions): SwarmAgent => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const agentKey = publicKey.export({ format: 'jwk' }).x ?? '';
  const listed = Array.from({ length: players }, (_, index) => ({
    name: `Player ${index}`,
    platformId: `steam:7656119${String(index).padStart(10, '0')}`,
    handle: `7656119${String(index).padStart(10, '0')}`,
  }));
  let socket: WebSocket | null = null;
  let number = 0;
  let acknowledged = 0;

  const send = (frame: AgentFrame) => socket?.send(JSON.stringify(frame));
  const heartbeat = () => {
    const isFirst = number === 0;
    const base = { v, type: 'heartbeat', number: number++, state: 'online', detail: null } as const;
    send(isFirst ? { ...base, players: listed } : base);
  };

  return {
    connect: (port) =>
      new Promise((resolve, reject) => {
        number = 0;
        socket = new WebSocket(`ws://127.0.0.1:${port}${agentSocketPath}`, { perMessageDeflate: false });
        socket.on('error', reject);
        socket.on('close', (code, reason) => {
          reject(new Error(`closed: ${code} ${reason}`));
          onClose();
        });
        socket.on('message', (data) => {
          const frame = JSON.parse(String(data)) as ApiFrame;
          if (frame.type === 'challenge')
            send(hello(frame.nonce, { serverId, secret, agentKey, privateKey }));
          else if (frame.type === 'welcome') heartbeat();
          else if (frame.type === 'refused') reject(new Error(`${frame.code}: ${frame.detail}`));
          else if (frame.type === 'ack' && frame.heartbeat !== null) {
            acknowledged += 1;
            resolve();
          }
        });
      }),
    heartbeat,
    close: () => socket?.terminate(),
    acknowledged: () => acknowledged,
  };
};

interface Identity {
  readonly serverId: string;
  readonly secret: string;
  readonly agentKey: string;
  readonly privateKey: KeyObject;
}

const hello = (nonce: string, { serverId, secret, agentKey, privateKey }: Identity): HelloFrame => {
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
    agentVersion: 'swarm',
    clock: new Date().toISOString(),
    journal: randomBytes(12).toString('base64url'),
  };
};
