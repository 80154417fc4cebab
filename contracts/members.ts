import * as z from 'zod';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './paging.ts';
import { player } from './players.ts';
import { positivePoints } from './store.ts';

export const memberId = z.string().regex(/^[1-9]\d{0,17}$/, 'must be the number of a member');

/** Groups that the list of members can be cut to. */
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
export const member = z
  .object({
    id: z.string(),
    /** The name of the most recently seen player, else that in Discord; empty without either. */
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable(),
    discordId: z.string().nullable(),
    /** As the Discord server has the account; null: it was never seen there. */
    discord: z
      .object({
        name: z.string(),
        joinedAt: z.iso.datetime().nullable(),
        /** Null: is there now. */
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

export const memberMerge = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  mergedId: z.string(),
  playerNames: z.array(z.string()),
  points: z.int(),
  /** Points returned by the undo: less than were moved if points were spent since. Null: not undone. */
  pointsReturned: z.int().nullable(),
  actorName: z.string().nullable(),
  undoneAt: z.iso.datetime().nullable(),
});
export const memberDetails = member.extend({ merges: z.array(memberMerge) });
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

/** What can give points as a reward. */
export const rewardKinds = ['interval', 'first-visit', 'daily', 'code'] as const;
export type RewardKind = (typeof rewardKinds)[number];

/** A change of one wallet. */
export const ledgerEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum(ledgerKinds),
    /** Signed, from this wallet's side. */
    change: z.int(),
    otherMemberId: z.string().nullable(),
    orderId: z.string().nullable(),
    deliveryId: z.string().nullable(),
    /** What gave it, by the name of the rule or the batch of codes; null for all other kinds. */
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
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
const writing = [...reading, 'CROSS_ORIGIN', 'NOT_FOUND', 'MEMBER_GONE'] as const;
const ofMember = z.object({ id: memberId });

export const membersHttp = {
  search: endpoint({
    method: 'GET',
    path: '/api/members',
    summary:
      'Members by a name of their players, a name in Discord, a platform or a Discord id, the newest first',
    access: 'members.read',
    query: pageQuery.extend({
      text: z.string().trim().min(1).max(100).optional(),
      group: z.enum(memberGroups).optional(),
    }),
    response: pageOf(member),
    problems: reading,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/members/:id',
    summary: 'One member with players, wallet and merges; a merged one leads to who is left',
    access: 'members.read',
    params: ofMember,
    response: memberDetails,
    problems: [...reading, 'NOT_FOUND'],
  }),
  ofPlayer: endpoint({
    method: 'GET',
    path: '/api/players/:id/member',
    summary: "A player's member",
    access: 'members.read',
    params: ofMember,
    response: memberDetails,
    problems: [...reading, 'NOT_FOUND'],
  }),
  ledger: endpoint({
    method: 'GET',
    path: '/api/members/:id/ledger',
    summary: "Every change of a member's wallet, the newest first",
    access: 'members.read',
    params: ofMember,
    query: pageQuery,
    response: pageOf(ledgerEntry),
    problems: [...reading, 'NOT_FOUND'],
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/members/:id/points',
    summary: 'Give points to a member, or take some back; a wallet is never below zero',
    access: 'points.write',
    params: ofMember,
    body: z.strictObject({ kind: z.enum(['grant', 'correction']), points: positivePoints, note }),
    response: memberDetails,
    problems: [...writing, 'INSUFFICIENT_POINTS'],
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/members/:id/transfer',
    summary: 'Move points from a member to another one',
    access: 'points.write',
    params: ofMember,
    body: z.strictObject({ toMemberId: memberId, points: positivePoints, note }),
    response: memberDetails,
    problems: [...writing, 'INSUFFICIENT_POINTS'],
  }),
  linkCode: endpoint({
    method: 'POST',
    path: '/api/members/:id/link-code',
    summary: 'A code, valid once and for ten minutes, by which another account joins this member',
    access: 'members.write',
    params: ofMember,
    body: z.strictObject({}),
    response: z.object({ code: z.string(), expiresAt: z.iso.datetime() }),
    problems: writing,
  }),
  redeemCode: endpoint({
    method: 'POST',
    path: '/api/members/:id/link',
    summary: 'Merge this member into the one that asked for the code',
    access: 'members.write',
    // One person can ask for a code and redeem it: that merges as `merge` does.
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({ code: z.string().trim().min(1).max(40) }),
    response: memberDetails,
    problems: [
      ...writing,
      'LINK_CODE_INVALID',
      'MERGE_REFUSED',
      'RATE_LIMITED',
      'PERSON_REQUIRED',
      'STEP_UP_REQUIRED',
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
    problems: [...writing, 'MERGE_REFUSED', 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
  undoMerge: endpoint({
    method: 'POST',
    path: '/api/members/:id/merges/:mergeId/undo',
    summary: 'Undo a merge; points that were spent since stay with the member that is left',
    access: 'members.write',
    proof: 'step-up',
    params: ofMember.extend({ mergeId: memberId }),
    body: z.strictObject({}),
    response: memberDetails,
    problems: [...writing, 'MERGE_REFUSED', 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/members/:id/erase',
    summary: 'Erase a person: names, platform ids, sessions and notes go; the ledger stays without a name',
    access: 'members.write',
    proof: 'step-up',
    params: ofMember,
    body: z.strictObject({ version: z.int().positive() }),
    response: z.object({}),
    problems: [...writing, 'CONFLICT', 'DELIVERY_STATE', 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
} as const;
