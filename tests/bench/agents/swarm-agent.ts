import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  type AgentFrame,
  type ApiFrame,
  agentProtocolVersion,
  agentSocketPath,
} from '#contracts/agent-protocol.ts';
import { Secret } from '#runtime/secret.ts';
import { type Identity, makeHello } from '../../../agent/connection/proof.ts';

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
  const identity: Identity = {
    serverId,
    game: 'minecraft',
    secret: new Secret(secret),
    key: { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey },
    journal: randomBytes(12).toString('base64url'),
  };
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
        let isIn = false;
        socket.on('close', (code, reason) => {
          reject(new Error(`closed: ${code} ${reason}`));
          if (isIn) onClose();
        });
        socket.on('message', (data) => {
          const frame = JSON.parse(String(data)) as ApiFrame;
          if (frame.type === 'challenge') send(makeHello(identity, frame.nonce));
          else if (frame.type === 'welcome') heartbeat();
          else if (frame.type === 'refused') reject(new Error(`${frame.code}: ${frame.detail}`));
          else if (frame.type === 'ack' && frame.heartbeat !== null) {
            acknowledged += 1;
            isIn = true;
            resolve();
          }
        });
      }),
    heartbeat,
    close: () => socket?.terminate(),
    acknowledged: () => acknowledged,
  };
};
