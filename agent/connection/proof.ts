import { createHmac, randomBytes, sign } from 'node:crypto';
import {
  agentProofText,
  agentProtocolVersion,
  apiProofText,
  type HelloFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import type { Secret } from '#runtime/secret.ts';
import { version } from '#runtime/version.ts';
import type { AgentKey } from '../configuration/agent-key.ts';

/** The agent's identity and its credentials. */
export interface Identity {
  readonly serverId: string;
  readonly game: GameId;
  readonly secret: Secret;
  readonly key: AgentKey;
  /** Names the numbering of the agent's events. */
  readonly journal: string;
}

export const macOf = (secret: Secret, text: string): Buffer =>
  createHmac('sha256', secret.reveal()).update(text).digest();

/** A hello that answers the nonce; each has its own client nonce over which the API proves itself. */
export const makeHello = ({ serverId, game, secret, key, journal }: Identity, nonce: string): HelloFrame => {
  const text = agentProofText(nonce, serverId, key.publicKey);
  return {
    v: agentProtocolVersion,
    type: 'hello',
    serverId,
    game,
    nonce,
    agentKey: key.publicKey,
    proof: macOf(secret, text).toString('base64url'),
    signature: sign(null, Buffer.from(text), key.privateKey).toString('base64url'),
    clientNonce: randomBytes(32).toString('base64url'),
    agentVersion: version,
    clock: new Date().toISOString(),
    journal,
  };
};

/** Whether a welcome comes from an API that knows the secret. Takes the same time for every wrong proof. */
export const isProvenApi = (proof: string, hello: HelloFrame, secret: Secret): boolean => {
  const expected = macOf(secret, apiProofText(hello.clientNonce, hello.serverId));
  return equalBytes(Buffer.from(proof, 'base64url'), expected);
};
