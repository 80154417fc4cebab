import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  type AgentFrame,
  type ApiFrame,
  agentProtocolVersion,
  agentSocketPath,
} from '#contracts/servers/agent-protocol.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import { type Identity, makeHello } from '../../../agent/connection/proof.ts';

const v = agentProtocolVersion;

/** One of many agents: speaks the protocol and costs little, so that the bench measures the API. */
export interface SwarmAgent {
  /** Resolves when the first heartbeat is acknowledged. */
  connect(port: number): Promise<void>;
  heartbeat(): void;
  close(): void;
  /** How many heartbeats were acknowledged. */
  readonly acknowledged: () => number;
}

export interface SwarmPlayer {
  readonly name: string;
  readonly platformId: string;
  readonly handle: string;
}

export const createSwarmAgent = ({
  serverId,
  secret,
  players,
  onClose,
  obey,
}: {
  readonly serverId: string;
  readonly secret: string;
  /** The players on the server, who never change. */
  readonly players: readonly SwarmPlayer[];
  readonly onClose: () => void;
  /** The game's reply to a command; without it, commands are ignored. */
  readonly obey?: (command: string) => string;
}): SwarmAgent => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const identity: Identity = {
    serverId,
    game: 'minecraft',
    secret: new Secret(secret),
    key: { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey },
    journal: randomBytes(12).toString('base64url'),
  };
  let socket: WebSocket | null = null;
  let number = 0;
  let acknowledged = 0;

  const send = (frame: AgentFrame) => socket?.send(JSON.stringify(frame));
  const heartbeat = () => {
    const isFirst = number === 0;
    const base = { v, type: 'heartbeat', number: number++, state: 'online', detail: null } as const;
    send(isFirst ? { ...base, players: [...players] } : base);
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
          else if (frame.type === 'welcome') {
            if (obey) send({ v, type: 'command-journal', journal: identity.journal });
            heartbeat();
          } else if (frame.type === 'command' && obey) {
            send({ v, type: 'accepted', commandIds: [frame.id] });
            send({ v, type: 'result', commandId: frame.id, result: answered(obey(frame.command)) });
          } else if (frame.type === 'refused') reject(new Error(`${frame.code}: ${frame.detail}`));
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

const answered = (reply: string): CommandResult => ({
  outcome: 'answered',
  reply,
  truncated: false,
  sent: true,
  durationMs: 0,
});
