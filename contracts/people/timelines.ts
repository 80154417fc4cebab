import * as z from 'zod';
import type { AuditAction } from '../kernel/audit-actions.ts';
import { endpoint } from '../kernel/http.ts';
import { oneOrMore, pageOf, pageQuery } from '../kernel/paging.ts';
import { commandOutcomes, gameId } from '../servers/games.ts';
import { deliveryCertainties, deliveryStates } from '../store/deliveries.ts';
import { orderSources } from '../store/orders.ts';
import { banEnds } from './bans.ts';
import { ledgerKinds, memberId, rewardKinds } from './members.ts';

/**
 * Filters for a timeline.
 * - `visits`: joined and left servers
 * - `chat`: what was said in games
 * - `moderation`: bans, unbans, kicks, messages, whitelists
 * - `store`: orders, and deliveries that have ended
 * - `points`: changes of the wallet that no order made
 * - `accounts`: merged accounts, and the Discord server
 * - `staff`: what else staff did to the person
 */
export const timelineKinds = [
  'visits',
  'chat',
  'moderation',
  'store',
  'points',
  'accounts',
  'staff',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** What a timeline makes of each audit action on a player or a member; `elsewhere`: another of its entries tells it. */
const toldAs = {
  'members.create': 'act',
  'members.erase': 'act',
  'members.link-code': 'act',
  'members.merge': 'elsewhere',
  'members.undo-merge': 'elsewhere',
  'members.unlink-discord': 'act',
  'players.ban': 'elsewhere',
  // About everyone on a server.
  'players.broadcast': 'elsewhere',
  'players.confirm-for-chat': 'act',
  'players.kick': 'command',
  'players.message': 'command',
  'players.restore-ban': 'act',
  'players.send-ban': 'act',
  'players.set-survivor-number': 'act',
  'players.unban': 'elsewhere',
  // The answers of Castellan itself.
  'players.whisper': 'elsewhere',
  'players.whitelist-add': 'command',
  'players.whitelist-remove': 'command',
} as const satisfies Record<
  Extract<AuditAction, `${'members' | 'players'}.${string}`>,
  'act' | 'command' | 'elsewhere'
>;
type ToldAs<Entry> = {
  [Action in keyof typeof toldAs]: (typeof toldAs)[Action] extends Entry ? Action : never;
}[keyof typeof toldAs];
const allToldAs = <const Entry extends 'act' | 'command'>(entry: Entry): ToldAs<Entry>[] =>
  (Object.keys(toldAs) as (keyof typeof toldAs)[]).filter(
    (action): action is ToldAs<Entry> => toldAs[action] === entry,
  );

/** Acts of staff that nothing else in a timeline shows, as the audit log names them. */
export const toldActs = allToldAs('act');
type ToldCommand = ToldAs<'command'> extends `players.${infer Command}` ? Command : never;
/** Commands about one player. */
export const toldCommands = allToldAs('command').map(
  (action) => action.slice('players.'.length) as ToldCommand,
);

const time = z.iso.datetime();
const entry = { id: z.string(), at: time };
const who = z.object({
  /** As the audit log names them, for example `admin:…`. */
  actor: z.string(),
  name: z.string().nullable(),
});

/** Something that happened to a person, or that they did. An entry never changes. */
export const timelineEntry = z
  .discriminatedUnion('type', [
    z.object({
      ...entry,
      type: z.literal('joined'),
      serverId: z.string(),
      playerId: z.string(),
      /** No earlier visit is known. */
      isFirst: z.boolean(),
    }),
    z.object({
      ...entry,
      type: z.literal('left'),
      serverId: z.string(),
      playerId: z.string(),
      playedSeconds: z.int().nonnegative(),
    }),
    z.object({
      ...entry,
      type: z.literal('said'),
      serverId: z.string().nullable(),
      playerId: z.string(),
      text: z.string(),
    }),
    z.object({
      ...entry,
      type: z.literal('banned'),
      banId: z.string(),
      game: gameId,
      isEverywhere: z.boolean(),
      serverIds: z.array(z.string()),
      reason: z.string(),
      until: time.nullable(),
      by: who,
    }),
    z.object({
      ...entry,
      type: z.literal('ban-ended'),
      banId: z.string(),
      game: gameId,
      reason: z.string(),
      how: z.enum(banEnds),
      by: who.nullable(),
    }),
    z.object({
      ...entry,
      type: z.literal('command'),
      command: z.enum(toldCommands),
      serverId: z.string().nullable(),
      /** What the player was told; null if it was not kept. */
      text: z.string().nullable(),
      /** Null while it runs, or if the console's history has expired. */
      outcome: z.enum(commandOutcomes).nullable(),
      /** Set only if the reply is an error of the game: the command was not carried out. */
      gameError: z.literal(true).optional(),
      by: who,
    }),
    z.object({
      ...entry,
      type: z.literal('ordered'),
      orderId: z.string(),
      total: z.int().nonnegative(),
      source: z.enum(orderSources),
      lines: z.array(z.object({ name: z.string(), quantity: z.int() })),
      /** The payer or the receiver, if that is another member. */
      payerId: z.string().nullable(),
      receiverId: z.string().nullable(),
      by: who,
    }),
    z.object({
      ...entry,
      type: z.literal('delivery'),
      deliveryId: z.string(),
      orderId: z.string(),
      productName: z.string(),
      state: z.enum(deliveryStates),
      certainty: z.enum(deliveryCertainties).nullable(),
      serverId: z.string().nullable(),
    }),
    z.object({
      ...entry,
      type: z.literal('points'),
      ledgerKind: z.enum(ledgerKinds),
      /** Signed, as seen from this wallet. */
      change: z.int(),
      otherMemberId: z.string().nullable(),
      orderId: z.string().nullable(),
      reward: z.object({ kind: z.enum(rewardKinds), name: z.string() }).nullable(),
      note: z.string().nullable(),
      by: who,
    }),
    z.object({
      ...entry,
      type: z.literal('merged'),
      mergeId: z.string(),
      playerNames: z.array(z.string()),
      /** The other member had a Discord account. */
      hasDiscord: z.boolean(),
      points: z.int(),
      by: who,
    }),
    z.object({
      ...entry,
      type: z.literal('merge-undone'),
      mergeId: z.string(),
      playerNames: z.array(z.string()),
    }),
    z.object({ ...entry, type: z.literal('discord-joined'), name: z.string() }),
    z.object({ ...entry, type: z.literal('discord-left'), name: z.string() }),
    z.object({ ...entry, type: z.literal('act'), act: z.enum(toldActs), by: who }),
  ])
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof timelineEntry>;

const query = pageQuery.extend({
  kind: oneOrMore(z.enum(timelineKinds), timelineKinds.length).optional(),
  /** Inclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive; a cursor takes precedence. */
  to: z.iso.datetime({ offset: true }).optional(),
});
const response = pageOf(timelineEntry).extend({
  /** The kinds that this caller may see. */
  kinds: z.array(z.enum(timelineKinds)),
});
/** Each kind also needs the permission of its usual place: without it, the kind is left out. */
export const timelinesHttp = {
  ofPlayer: endpoint({
    method: 'GET',
    path: '/api/players/:id/timeline',
    summary:
      "List a player's timeline, newest first; entries of the member require permission to view members, entries of orders permission to view orders",
    access: 'players.read',
    params: z.object({ id: memberId }),
    query,
    response,
  }),
  ofMember: endpoint({
    method: 'GET',
    path: '/api/members/:id/timeline',
    summary: 'List the timeline of a member and all their players, newest first',
    access: 'members.read',
    params: z.object({ id: memberId }),
    query,
    response,
  }),
} as const;
