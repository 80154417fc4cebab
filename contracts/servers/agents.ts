import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { agentModes } from './agent-connection.ts';
import {
  challengeAnswer,
  challengeRequest,
  largestAgentFrame,
  pollAnswer,
  pollRequest,
  serverStates,
} from './agent-protocol.ts';
import { agentRenewal } from './agent-tasks.ts';
import { recordId } from './clusters.ts';
import { gameId } from './games.ts';

const agent = z
  .object({
    serverId: z.string(),
    serverName: z.string(),
    game: gameId,
    /** Null while it is not connected. */
    mode: z.enum(agentModes).nullable(),
    stale: z.boolean(),
    lastSeenAt: z.iso.datetime().nullable(),
    connectedAt: z.iso.datetime().nullable(),
    /** What it reports about the game. */
    state: z.enum(serverStates).nullable(),
    detail: z.string().nullable(),
    version: z.string().nullable(),
    /** A newer version that this API offers to it; null: there is none for it. */
    offeredVersion: z.string().nullable(),
    /** The last reported state of its update to a newer version; null: no update is under way. */
    renewal: agentRenewal
      .omit({ againInMs: true })
      .extend({
        at: z.iso.datetime(),
        /** When a version that failed is tried again. */
        againAt: z.iso.datetime().nullable(),
      })
      .nullable(),
    address: z.string().nullable(),
    /** False: its messages cross a network unencrypted. Null while it is not connected. */
    encrypted: z.boolean().nullable(),
    /** The first characters of the pinned key; null: the next agent that proves the secret is pinned. */
    keyFingerprint: z.string().nullable(),
    pinnedAt: z.iso.datetime().nullable(),
    /** Its clock minus the API's when it connected, in seconds. */
    clockSkewSeconds: z.number().nullable(),
    /** Commands without a result so far. */
    waitingCommands: z.int(),
    /** Why the last connection attempt was refused, if nothing better followed. */
    lastRefusal: z
      .object({ at: z.iso.datetime(), code: z.string(), detail: z.string(), address: z.string() })
      .nullable(),
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof agent>;

const ofServer = z.object({ serverId: recordId });

export const agentsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/agents',
    summary: 'List the Game Agents of all servers that you can see',
    access: 'servers.read',
    response: z.object({
      rows: z.array(agent),
    }),
  }),
  replace: endpoint({
    method: 'POST',
    path: '/api/agents/:serverId/replacement',
    summary:
      'Forget the pinned key: the next Game Agent that proves the secret is pinned instead. Needs a recent confirmation of a person, and ends the trust in the chat of the server',
    access: 'agents.write',
    params: ofServer,
    response: agent,
    problems: [
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'CROSS_ORIGIN',
      'NOT_FOUND',
      'PERSON_REQUIRED',
      'STEP_UP_REQUIRED',
    ],
  }),
} as const;

/** Endpoints for agents; each request proves itself by its body. */
export const agentEndpoints = {
  challenge: endpoint({
    method: 'POST',
    path: '/api/game-agent/challenge',
    summary: 'Return a nonce over which a Game Agent proves its identity',
    access: 'agent',
    body: challengeRequest,
    response: challengeAnswer,
    problems: ['AGENT_TLS_REQUIRED', 'AGENT_THROTTLED'],
  }),
  poll: endpoint({
    method: 'POST',
    path: '/api/game-agent/poll',
    summary: 'Exchange messages with a polling Game Agent; held open on request',
    access: 'agent',
    body: pollRequest,
    bodyBytes: largestAgentFrame,
    response: pollAnswer,
    problems: [
      'AGENT_PROOF_WRONG',
      'AGENT_NONCE_INVALID',
      'AGENT_SERVER_UNKNOWN',
      'AGENT_GAME_MISMATCH',
      'AGENT_KEY_MISMATCH',
      'AGENT_SUPERSEDED',
      'AGENT_TLS_REQUIRED',
      'AGENT_THROTTLED',
      'AGENT_VERSION_UNSUPPORTED',
      'RATE_LIMITED',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
