import * as z from 'zod';
import { agentProtocolVersion, base64url } from './agent-protocol.ts';
import { recordId } from './clusters.ts';
import { gameId } from './games.ts';
import { endpoint } from './http.ts';

/** For how long a code can be used. */
export const enrolmentMinutes = 15;

/** How a code looks: 128 random bits. */
export const enrolmentCodePattern = /^[A-Za-z0-9_-]{22}$/;

/**
 * A text of parts that no other parts make: each in a line of its own, behind its length in bytes of UTF-8; `-` for a part
 * that is not there. agent/PROTOCOL.md explains it.
 */
const textOfParts = (label: string, parts: readonly (string | null)[]): string =>
  [label, ...parts.map((part) => (part === null ? '-' : `${utf8Bytes(part)}:${part}`))].join('\n');

const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += 1 + Number(point > 0x7f) + Number(point > 0x7ff) + Number(point > 0xffff);
  }
  return bytes;
};

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

/** What the agent proves that it knows the code over, and signs. */
export const enrolAgentText = (asked: SignedParts): string =>
  textOfParts('castellan-enrol-agent-v1', partsOf(asked));

/** What the API proves that it knows the code over; its SHA-256 is the salt of the agent's own secret. */
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
  /** Which game the agent stands beside; null: the panel knows. */
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
    /** Why the last try of an agent was refused, when none was taken since. */
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
    summary: 'End the open enrolment of a server; its code is worth nothing any more',
    access: 'agents.write',
    params: ofServer,
    response: z.object({ enrolment: enrolment.nullable() }),
    problems: changing,
  }),
} as const;

/** What an agent asks that has a code. */
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
