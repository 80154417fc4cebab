import * as z from 'zod';
import { agentProtocolVersion, base64url } from './agent-protocol.ts';
import { recordId } from './clusters.ts';
import { gameId } from './games.ts';
import { endpoint } from './http.ts';
import { utf8Bytes } from './utf8-bytes.ts';

/** For how long a code can be used. */
export const enrolmentMinutes = 15;

/** How a code looks: 128 random bits. */
export const enrolmentCodePattern = /^[A-Za-z0-9_-]{22}$/;

/**
 * One line for each part, behind its length in bytes of UTF-8, or `-` for a part that is absent: no two lists of parts make the
 * same text. agent/PROTOCOL.md explains it.
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

/** The agent signs this text, and proves over it that it knows the code. */
export const enrolAgentText = (asked: SignedParts): string =>
  textOfParts('castellan-enrol-agent-v1', partsOf(asked));

/** The API proves over this text that it knows the code; its SHA-256 is the salt of the agent's own secret. */
export const enrolApiText = (asked: SignedParts, answer: Omit<EnrolmentAnswer, 'proof'>): string =>
  textOfParts('castellan-enrol-api-v1', [
    ...partsOf(asked),
    answer.exchangeKey,
    answer.serverId,
    answer.serverName,
    answer.game,
  ]);

/** HKDF's info. */
export const agentSecretInfo = 'castellan-agent-secret-v1';

export const enrolmentRequest = z.strictObject({
  v: z.literal(agentProtocolVersion),
  /** As the panel names it. */
  enrolment: recordId,
  /** X25519, raw, made for this enrolment alone. */
  exchangeKey: base64url(32),
  /** The agent's own Ed25519 public key, raw; it is pinned. */
  agentKey: base64url(32),
  nonce: base64url(32),
  /** The game of the agent's machine; null: that of the panel. */
  game: gameId.nullable(),
  agentVersion: z.string().max(100),
  /** Such as `linux-x64`. */
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
  /** HMAC-SHA256 with the code over `enrolApiText`: an agent believes nothing before it has checked it. */
  proof: z.string(),
});
export type EnrolmentAnswer = z.infer<typeof enrolmentAnswer>;

export const enrolment = z
  .object({
    id: z.string(),
    serverId: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** `ended`: too late, cancelled, or a newer one was made. */
    state: z.enum(['open', 'used', 'ended']),
    /** When the agent's program was fetched by the line that the panel shows. */
    downloadedAt: z.iso.datetime().nullable(),
    usedAt: z.iso.datetime().nullable(),
    /** Why the last agent that tried was refused; null once one is enrolled. */
    lastFailure: z.object({ at: z.iso.datetime(), code: z.string(), address: z.string() }).nullable(),
  })
  .meta({ id: 'AgentEnrolment' });
export type Enrolment = z.infer<typeof enrolment>;

const ofServer = z.object({ serverId: recordId });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'] as const;
const changing = [...reading, 'CROSS_ORIGIN'] as const;

export const enrolmentsHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/enrolment',
    summary: 'The newest enrolment of an agent for a server, without its code',
    access: 'agents.write',
    params: ofServer,
    response: z.object({ enrolment: enrolment.nullable() }),
    problems: reading,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/agents/:serverId/enrolment',
    summary: 'Make a code that enrols one agent for a server; it ends the one before',
    access: 'agents.write',
    proof: 'step-up',
    params: ofServer,
    /** `code` is shown this once. */
    response: z.object({ code: z.string(), enrolment }),
    problems: [...changing, 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/agents/:serverId/enrolment',
    summary: 'End the open enrolment of a server; its code opens nothing any more',
    access: 'agents.write',
    params: ofServer,
    response: z.object({ enrolment: enrolment.nullable() }),
    problems: changing,
  }),
} as const;

/** Turns a code into an agent's own secret. */
export const enrolmentExchange = endpoint({
  method: 'POST',
  path: '/api/game-agent/enrolment',
  summary: 'Enrol a Game Agent by the code that the panel shows',
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
