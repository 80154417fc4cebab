import * as z from 'zod';
import { changeProblems, endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';
import { memberId } from '../people/members.ts';
import { commandOutcomes, gameId } from '../servers/games.ts';

/**
 * The state of a lasting command in one of its places.
 * - `held`: given, and there is nothing to do
 * - `taking`: the counter-command is to be sent, or is under way
 * - `giving`: it was bought again while it was being removed, so its command is sent once more
 * - `unknown`: no one can tell whether it was removed; a person decides
 * - `given-up`: its server is in the archive
 */
const placeStates = ['held', 'taking', 'giving', 'unknown', 'taken', 'given-up'] as const;
export type PlaceState = (typeof placeStates)[number];

/** `unconfirmed`: the game accepted the command, and its answer proves nothing. */
const takingCertainties = ['proven', 'unconfirmed', 'decided'] as const;
export type TakingCertainty = (typeof takingCertainties)[number];

const time = z.iso.datetime();

const entitlementPlace = z.object({
  id: z.string(),
  serverId: z.string(),
  playerId: z.string().nullable(),
  playerName: z.string().nullable(),
  state: z.enum(placeStates),
  changedAt: time,
  tries: z.int(),
  nextTryAt: time.nullable(),
  sentAt: time.nullable(),
  command: z.string().nullable(),
  outcome: z.enum(commandOutcomes).nullable(),
  reply: z.string().nullable(),
  certainty: z.enum(takingCertainties).nullable(),
  detail: z.string().nullable(),
  /** The code of `detail`, if it is one of the API's sentences. */
  reason: codedReason,
});
export type EntitlementPlace = z.infer<typeof entitlementPlace>;

const entitlementGrant = z.object({
  deliveryId: z.string(),
  orderId: z.string(),
  productName: z.string(),
  givenAt: time,
  seconds: z.int(),
  extends: z.boolean(),
  revokedAt: time.nullable(),
});

const entitlement = z
  .object({
    id: z.string(),
    memberId: z.string(),
    memberName: z.string(),
    game: gameId,
    key: z.string(),
    kind: z.enum(['item', 'command', 'role']),
    /** Null: it was bought a moment ago and its end is not computed yet. */
    endsAt: time.nullable(),
    /** Null: it has not ended. */
    endedAt: time.nullable(),
    grants: z.array(entitlementGrant),
    places: z.array(entitlementPlace),
  })
  .meta({ id: 'Entitlement' });
export type Entitlement = z.infer<typeof entitlement>;

/**
 * - `unknown`: at least one place waits for a person
 * - `overdue`: its end, or a command for it, has been due for more than an hour
 */
export const entitlementGroups = ['active', 'ended', 'unknown', 'overdue'] as const;

const ofEntitlement = z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) });
const ofPlace = z.object({ id: z.guid() });

export const entitlementsHttp = {
  ofMember: endpoint({
    method: 'GET',
    path: '/api/members/:id/entitlements',
    summary: "List a member's timed purchases, with when each ends and the state of its end",
    access: 'orders.read',
    params: z.object({ id: memberId }),
    response: z.object({ rows: z.array(entitlement) }),
    problems: readProblems,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/entitlements',
    summary: 'List timed purchases, newest first',
    access: 'orders.read',
    query: pageQuery.extend({ state: z.enum(entitlementGroups).optional() }),
    response: pageOf(entitlement),
  }),
  end: endpoint({
    method: 'POST',
    path: '/api/entitlements/:id/end',
    summary: 'End an active timed purchase now; it is removed as at its normal end, without a refund',
    access: 'orders.write',
    proof: 'step-up',
    params: ofEntitlement,
    body: z.strictObject({}),
    response: entitlement,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/entitlements/ends/:id/retry',
    summary: 'Send the removal command of a timed purchase again, or now instead of later',
    access: 'orders.write',
    params: ofPlace,
    body: z.strictObject({}),
    response: entitlement,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
  done: endpoint({
    method: 'POST',
    path: '/api/entitlements/ends/:id/done',
    summary: 'Mark a timed purchase as removed, so that nothing more is sent',
    access: 'orders.write',
    params: ofPlace,
    body: z.strictObject({}),
    response: entitlement,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
} as const;
