import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { gameId } from '../servers/games.ts';
import { positivePoints } from '../store/store.ts';
import { player } from './players.ts';

export const memberId = z.string().regex(/^[1-9]\d{0,17}$/, 'must be the number of a member');

/** Filters for the list of members. */
export const memberGroups = [
  'with-player',
  /** On the Discord server now. */
  'in-discord',
  /** A Discord account and a player. */
  'linked',
  /** A Discord account and no player. */
  'without-player',
  /** A player and no Discord account. */
  'without-discord',
  'left-discord',
] as const;
export type MemberGroup = (typeof memberGroups)[number];

/** A person: their players, their Discord account and their wallet. */
const member = z
  .object({
    id: z.string(),
    /** The name of the most recently seen player, otherwise the one in Discord; empty without either. */
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable(),
    discordId: z.string().nullable(),
    /** The account as the Discord server has it; null: it was never seen there. */
    discord: z
      .object({
        name: z.string(),
        joinedAt: z.iso.datetime().nullable(),
        /** Null: still there. */
        leftAt: z.iso.datetime().nullable(),
      })
      .nullable(),
    balance: z.int().nonnegative(),
    erasedAt: z.iso.datetime().nullable(),
    version: z.int(),
    players: z.array(player.pick({ id: true, name: true, platformId: true, game: true })),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof member>;

const memberMerge = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  mergedId: z.string(),
  playerNames: z.array(z.string()),
  points: z.int(),
  /** Points returned by the undo: fewer than were moved if points have been spent since. Null: not undone. */
  pointsReturned: z.int().nullable(),
  actorName: z.string().nullable(),
  undoneAt: z.iso.datetime().nullable(),
});
const memberDetails = member.extend({
  players: z.array(
    member.shape.players.element.extend({
      /**
       * The server where they are, or last were while it cannot tell. Null: none that the caller may see; always null
       * in the answer to a change.
       */
      onlineOn: z.string().nullable(),
    }),
  ),
  merges: z.array(memberMerge),
});
export type MemberDetails = z.infer<typeof memberDetails>;

export const ledgerKinds = [
  'grant',
  'purchase',
  'refund',
  'charge',
  'correction',
  'transfer',
  'merge',
  'season',
  'reward',
] as const;

/** Kinds of rewards that give points. */
export const rewardKinds = ['interval', 'first-visit', 'daily', 'code'] as const;
export type RewardKind = (typeof rewardKinds)[number];

/** A change of one wallet. */
export const ledgerEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum(ledgerKinds),
    /** Signed, as seen from this wallet. */
    change: z.int(),
    otherMemberId: z.string().nullable(),
    orderId: z.string().nullable(),
    deliveryId: z.string().nullable(),
    /** The reward that gave it, by the name of the rule or the batch of codes; null for all other kinds. */
    reward: z.object({ kind: z.enum(rewardKinds), name: z.string() }).nullable(),
    actorName: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'LedgerEntry' });
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const note = z
  .string()
  .trim()
  .max(300)
  .regex(/^[^\p{Cc}]*$/u, 'must have no control characters')
  .default('');
const ofMember = z.object({ id: memberId });

export const membersHttp = {
  search: endpoint({
    method: 'GET',
    path: '/api/members',
    summary: 'List members, newest first; search by player name, Discord name, platform ID or Discord ID',
    access: 'members.read',
    query: pageQuery.extend({
      text: z.string().trim().min(1).max(100).optional(),
      group: z.enum(memberGroups).optional(),
      /** Only members who have a player of that game, or were on a server of it. */
      game: gameId.optional(),
      /** Only members who are on a server now, as far as the caller may see. */
      online: z.enum(['true', 'false']).default('false'),
    }),
    response: pageOf(member),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/members/:id',
    summary:
      'Return a member with players, wallet and merges; a merged member refers to the one that remains',
    access: 'members.read',
    params: ofMember,
    response: memberDetails,
  }),
  ofPlayer: endpoint({
    method: 'GET',
    path: '/api/players/:id/member',
    summary: "Return a player's member",
    access: 'members.read',
    params: ofMember,
    response: memberDetails,
  }),
  ledger: endpoint({
    method: 'GET',
    path: '/api/members/:id/ledger',
    summary: "List every change of a member's wallet, newest first",
    access: 'members.read',
    params: ofMember,
    query: pageQuery,
    response: pageOf(ledgerEntry),
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/members/:id/points',
    summary: 'Give points to a member or remove them; a wallet never goes below zero',
    access: 'points.write',
    params: ofMember,
    body: z.strictObject({ kind: z.enum(['grant', 'correction']), points: positivePoints, note }),
    response: memberDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'INSUFFICIENT_POINTS'],
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/members/:id/transfer',
    summary: 'Transfer points from one member to another',
    access: 'points.write',
    params: ofMember,
    body: z.strictObject({ toMemberId: memberId, points: positivePoints, note }),
    response: memberDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'INSUFFICIENT_POINTS'],
  }),
  linkCode: endpoint({
    method: 'POST',
    path: '/api/members/:id/link-code',
    summary: 'Create a code, valid once and for ten minutes, with which another account joins this member',
    access: 'members.write',
    // Redeemed in Discord or in a game, the code merges members as `merge` does.
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({}),
    response: z.object({ code: z.string(), expiresAt: z.iso.datetime() }),
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE'],
  }),
  redeemCode: endpoint({
    method: 'POST',
    path: '/api/members/:id/link',
    summary: 'Merge this member into the one that requested the code',
    access: 'members.write',
    // One person can request a code and redeem it, which merges members as `merge` does.
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({ code: z.string().trim().min(1).max(40) }),
    response: memberDetails,
    problems: [
      ...changeProblems,
      'NOT_FOUND',
      'MEMBER_GONE',
      'LINK_CODE_INVALID',
      'MERGE_REFUSED',
      'RATE_LIMITED',
    ],
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/members/:id/merge',
    summary: 'Merge another member into this one: players, points, orders and history',
    access: 'members.write',
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({ mergedId: memberId }),
    response: memberDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'MERGE_REFUSED'],
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/api/members/:id/merges/:mergeId/undo',
    summary: 'Undo a merge; points spent since then stay with the remaining member',
    access: 'members.write',
    proof: 'step-up',
    params: ofMember.extend({ mergeId: memberId }),
    body: z.strictObject({}),
    response: memberDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'MERGE_REFUSED'],
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/members/:id/erase',
    summary:
      'Erase a person: deletes names, platform IDs, sessions and notes; the ledger stays without a name',
    access: 'members.write',
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({ version: rowVersion }),
    response: z.object({}),
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'CONFLICT', 'DELIVERY_STATE'],
  }),
} as const;
