import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { utf8Bytes } from '../kernel/utf8-bytes.ts';
import { agentProtocolVersion, base64url } from './agent-protocol.ts';
import { recordId } from './clusters.ts';
import { gameId } from './games.ts';

/** How long a code can be used. */
export const enrolmentMinutes = 15;

/** The form of a code: 128 random bits. */
export const enrolmentCodePattern = /^[A-Za-z0-9_-]{22}$/;

/**
 * One line per part, each after its length in UTF-8 bytes, or `-` for an absent part, so that no two lists of parts
 * give the same text. See agent/PROTOCOL.md.
 */
const textOfParts = (label: string, parts: readonly (string | null)[]): string =>
  [label, ...parts.map((part) => (part === null ? '-' : `${utf8Bytes(part)}:${part}`))].join('\n');

type SignedParts = Omit<EnrolmentRequest, 'mac' | 'signature'>;

const partsOf = (asked: SignedParts) => [
  String(asked.v),
  asked.enrolment,
  asked.exchangeKey,
  asked.agentKey,
  asked.nonce,
  asked.game,
  asked.agentVersion,
  asked.platform,
];

/** The text that the agent signs, and with which it proves that it knows the code. */
export const enrolAgentText = (asked: SignedParts): string =>
  textOfParts('castellan-enrol-agent-v1', partsOf(asked));

/** The text with which the API proves that it knows the code; its SHA-256 is the salt of the agent's secret. */
export const enrolApiText = (asked: SignedParts, answer: Omit<EnrolmentAnswer, 'proof'>): string =>
  textOfParts('castellan-enrol-api-v1', [
    ...partsOf(asked),
    answer.exchangeKey,
    answer.serverId,
    answer.serverName,
    answer.game,
  ]);

/** The `info` value of HKDF. */
export const agentSecretInfo = 'castellan-agent-secret-v1';

export const enrolmentRequest = z.strictObject({
  v: z.literal(agentProtocolVersion),
  /** The enrolment that the panel shows. */
  enrolment: recordId,
  /** X25519, raw, generated for this enrolment only. */
  exchangeKey: base64url(32),
  /** The agent's Ed25519 public key, raw; it is pinned. */
  agentKey: base64url(32),
  nonce: base64url(32),
  /** The game on the agent's machine; null: the one set in the panel. */
  game: gameId.nullable(),
  agentVersion: z.string().max(100),
  /** For example `linux-x64`. */
  platform: z.string().max(40),
  /** HMAC-SHA256 with the code over `enrolAgentText`. */
  mac: base64url(32),
  /** Ed25519 with the agent's key over the same text. */
  signature: base64url(64),
});
export type EnrolmentRequest = z.infer<typeof enrolmentRequest>;

export const enrolmentAnswer = z.object({
  v: z.literal(agentProtocolVersion),
  /** X25519, raw. */
  exchangeKey: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  game: gameId,
  /** HMAC-SHA256 with the code over `enrolApiText`: an agent trusts nothing before it has checked this. */
  proof: z.string(),
});
export type EnrolmentAnswer = z.infer<typeof enrolmentAnswer>;

const enrolment = z
  .object({
    id: z.string(),
    serverId: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** `ended`: expired, cancelled, or replaced by a newer one. */
    state: z.enum(['open', 'used', 'ended']),
    /** When the agent's program was downloaded by the command that the panel shows. */
    downloadedAt: z.iso.datetime().nullable(),
    usedAt: z.iso.datetime().nullable(),
    /** Why the last agent that tried was refused; null once an agent is enrolled. */
    lastFailure: z.object({ at: z.iso.datetime(), code: z.string(), address: z.string() }).nullable(),
  })
  .meta({ id: 'AgentEnrolment' });
export type Enrolment = z.infer<typeof enrolment>;

const ofServer = z.object({ serverId: recordId });

export const enrolmentsHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/enrolment',
    summary: 'Return the newest Game Agent enrolment of a server, without its code',
    access: 'agents.write',
    params: ofServer,
    response: z.object({ enrolment: enrolment.nullable() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/agents/:serverId/enrolment',
    summary: 'Create a code that enrols one Game Agent for a server; ends the previous enrolment',
    access: 'agents.write',
    proof: 'step-up',
    params: ofServer,
    /** `code` is shown only once. */
    response: z.object({ code: z.string(), enrolment }),
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/agents/:serverId/enrolment',
    summary: 'Cancel the open enrolment of a server; its code stops working',
    access: 'agents.write',
    params: ofServer,
    response: z.object({ enrolment: enrolment.nullable() }),
  }),
} as const;

/** Exchanges a code for the agent's secret. */
export const enrolmentExchange = endpoint({
  method: 'POST',
  path: '/api/game-agent/enrolment',
  summary: 'Enrol a Game Agent with the code shown in the panel',
  access: 'agent',
  body: enrolmentRequest,
  response: enrolmentAnswer,
  problems: [
    'AGENT_ENROLMENT_REFUSED',
    'AGENT_ENROLMENT_ENDED',
    'AGENT_ENROLMENT_USED',
    'AGENT_SERVER_UNKNOWN',
    'AGENT_GAME_MISMATCH',
    'AGENT_TLS_REQUIRED',
    'AGENT_THROTTLED',
    'AGENT_VERSION_UNSUPPORTED',
    'DATABASE_UNAVAILABLE',
  ],
});
