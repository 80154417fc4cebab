import * as z from 'zod';
import { changeProblems, endpoint, readProblems } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { memberId } from '../people/members.ts';
import { recordId } from '../servers/clusters.ts';

/** Players are newcomers on a server for this long after it was first reported that they are there. */
export const newcomerHours = 24;

/** Whether players may spend and link by the chat of a server. */
const chatTrust = z
  .object({
    serverId: z.string(),
    isTrusted: z.boolean(),
    /** An update trusted it, since its chat shop worked; no one has looked at it yet. */
    isUnreviewed: z.boolean(),
    /** The change that ended the trust; null: a person did, or it was never given. */
    endedBy: z.enum(['address', 'agent']).nullable(),
    changedAt: z.iso.datetime().nullable(),
    /** Incremented by every change; 0: never changed. */
    version: z.int().nonnegative(),
  })
  .meta({ id: 'ChatTrust' });
export type ChatTrust = z.infer<typeof chatTrust>;

/** A player who is online on a trusted server as a newcomer. */
const newcomer = z.object({
  playerId: z.string(),
  playerName: z.string(),
  serverId: z.string(),
  serverName: z.string(),
});
export type Newcomer = z.infer<typeof newcomer>;

const confirmed = z.strictObject({ playerId: memberId, serverId: recordId });

export const chatTrustHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/chat-trust',
    summary: 'List for each game server whether players may spend and link by its chat',
    access: 'members.read',
    response: z.object({ rows: z.array(chatTrust) }),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/servers/:id/chat-trust',
    summary:
      'Trust a game server for spending and linking by its chat, or stop that; a change of its address or agent ends it',
    access: 'members.write',
    proof: 'step-up',
    params: z.object({ id: recordId }),
    body: z.strictObject({ version: rowVersion, isTrusted: z.boolean() }),
    response: chatTrust,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  newcomers: endpoint({
    method: 'GET',
    path: '/api/players/:id/chat-confirmation',
    summary: 'List the trusted game servers where a player is now as a newcomer, who can be confirmed there',
    access: 'members.read',
    params: z.object({ id: memberId }),
    response: z.object({ rows: z.array(newcomer) }),
    problems: readProblems,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/players/:id/chat-confirmation',
    summary:
      'Confirm that a newcomer on a game server is this player: they may spend and link by its chat at once',
    access: 'members.write',
    proof: 'step-up',
    params: z.object({ id: memberId }),
    body: confirmed.pick({ serverId: true }),
    response: z.object({}),
  }),
} as const;

/** What people in Discord do for themselves. */
export const chatTrustDiscordHttp = {
  newcomers: endpoint({
    method: 'GET',
    path: '/api/internal/discord/newcomers',
    summary: 'List your own players who are newcomers on servers where they are now',
    access: 'discord-user',
    response: z.object({ rows: z.array(newcomer) }),
    problems: [...readProblems, 'DISCORD_NOT_LINKED'],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/internal/discord/newcomers',
    summary: 'Confirm that a newcomer on a game server is your own player',
    access: 'discord-user',
    body: confirmed,
    response: z.object({}),
    problems: [...readProblems, 'DISCORD_NOT_LINKED', 'NOT_FOUND'],
  }),
} as const;
