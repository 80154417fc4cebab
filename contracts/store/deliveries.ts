import * as z from 'zod';
import { changeProblems, endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';
import { memberId } from '../people/members.ts';
import { recordId } from '../servers/clusters.ts';
import { commandOutcomes, gameId } from '../servers/games.ts';
import { deskReasons } from './desk-reasons.ts';
import { deliveryLine } from './store.ts';

export const deliveryStates = [
  'pending',
  'waiting',
  'sending',
  'delivered',
  'failed',
  'unknown',
  'cancelled',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * How certain a delivery is.
 * - `proven`: the game's reply says so, for this player and amount; for a role, Discord's reply
 * - `settled`: the game's own record says so
 * - `unconfirmed`: the game answered in time, with the player online before and after; its answers prove nothing
 * - `decided`: a person or a rule decided it
 */
export const deliveryCertainties = ['proven', 'settled', 'unconfirmed', 'decided'] as const;
export type DeliveryCertainty = (typeof deliveryCertainties)[number];

export const deliveryWaits = ['player', 'server', 'survivor-number', 'retry', 'license', 'discord'] as const;
export type DeliveryWait = (typeof deliveryWaits)[number];

/**
 * The state of removing what a refunded command gave.
 * - `waiting`: its server is unreachable, or the game refused the command, which is tried again
 * - `sent`: the command was sent and has no result yet
 * - `taken`: the game accepted the command
 * - `refused`: the game refused it each time
 * - `unknown`: it was sent once, and no one can tell whether it arrived
 * - `impossible`: its server is in the archive, or the player's data was erased
 */
const counterCommandStates = ['waiting', 'sent', 'taken', 'refused', 'unknown', 'impossible'] as const;
export type CounterCommandState = (typeof counterCommandStates)[number];

export const deskDecisions = ['delivered', 'send-again', 'refund', 'charge-again'] as const;
/** `charge-again`: it was refunded but did arrive; the points are charged again. */
export type DeskDecisionName = (typeof deskDecisions)[number];
export const ruleDecisions = ['delivered', 'send-again', 'refund'] as const;
export type DeskDecision = (typeof ruleDecisions)[number];

const deliveryAttempt = z.object({
  number: z.int(),
  serverId: z.string(),
  way: z.enum(['agent', 'direct']),
  command: z.string(),
  beganAt: z.iso.datetime(),
  /** Null: not settled yet. */
  endedAt: z.iso.datetime().nullable(),
  outcome: z.enum(commandOutcomes).nullable(),
  reply: z.string().nullable(),
  verdict: z.string().nullable(),
  detail: z.string().nullable(),
  /** The code of `detail`, if it is one of the API's sentences. */
  reason: codedReason,
  /** Further evidence: whether the player was online before and after, the game's record, lines of its log. */
  evidence: z.record(z.string(), z.unknown()),
});

export const delivery = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    orderId: z.string(),
    orderLineId: z.string(),
    productId: z.string(),
    productName: z.string(),
    memberId: z.string(),
    memberName: z.string(),
    game: gameId,
    line: deliveryLine,
    points: z.int().nonnegative(),
    state: z.enum(deliveryStates),
    certainty: z.enum(deliveryCertainties).nullable(),
    waitsFor: z.enum(deliveryWaits).nullable(),
    detail: z.string().nullable(),
    /** The code of `detail`, if it is one of the API's sentences. */
    reason: codedReason,
    serverId: z.string().nullable(),
    way: z.enum(['agent', 'direct']).nullable(),
    attempts: z.int(),
    nextTryAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    refundedAt: z.iso.datetime().nullable(),
    /** Null: no command removes it, or only when a timed purchase ends. */
    takingBack: z.enum(counterCommandStates).nullable(),
    rolledBackAt: z.iso.datetime().nullable(),
    doubledAt: z.iso.datetime().nullable(),
    deskReason: z.enum(deskReasons).nullable(),
    deskAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof delivery>;

const deliveryDetails = delivery.extend({ history: z.array(deliveryAttempt) });
export type DeliveryDetails = z.infer<typeof deliveryDetails>;

const deskRule = z
  .object({
    id: z.string(),
    /** Null: any server. */
    serverId: z.string().nullable(),
    productId: z.string().nullable(),
    decision: z.enum(ruleDecisions),
    createdAt: z.iso.datetime(),
    actorName: z.string().nullable(),
  })
  .meta({ id: 'DeskRule' });
export type DeskRule = z.infer<typeof deskRule>;

const survivorNumber = z
  .object({
    serverId: z.string(),
    number: z.string(),
    source: z.enum(['staff', 'agent', 'player']),
    /** The file in which the agent found it; null for numbers set by staff. */
    foundIn: z.string().nullable(),
    setAt: z.iso.datetime(),
  })
  .meta({ id: 'SurvivorNumber' });
export type SurvivorNumber = z.infer<typeof survivorNumber>;

const ofDelivery = z.object({ id: z.guid() });

export const deliveriesHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/deliveries',
    summary: 'List deliveries, newest first',
    access: 'orders.read',
    query: pageQuery.extend({
      state: z.enum(deliveryStates).optional(),
      memberId: memberId.optional(),
      serverId: recordId.optional(),
      productId: recordId.optional(),
    }),
    response: pageOf(delivery),
  }),
  desk: endpoint({
    method: 'GET',
    path: '/api/deliveries/desk',
    summary: 'List deliveries that a person has to decide, oldest first, with the evidence',
    access: 'orders.read',
    query: pageQuery.extend({ reason: z.enum(deskReasons).optional(), serverId: recordId.optional() }),
    response: pageOf(deliveryDetails),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/deliveries/:id',
    summary: 'Return a delivery with all its attempts',
    access: 'orders.read',
    params: ofDelivery,
    response: deliveryDetails,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/deliveries/decisions',
    summary: 'Decide deliveries with an unknown outcome; the response reports those no longer at the desk',
    access: 'orders.write',
    body: z.strictObject({ ids: z.array(z.guid()).min(1).max(200), decision: z.enum(deskDecisions) }),
    response: z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          isDone: z.boolean(),
          detail: z.string().nullable(),
          reason: codedReason,
        }),
      ),
    }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/deliveries/:id/cancel',
    summary: 'Cancel a waiting or failed delivery, with a refund',
    access: 'orders.write',
    params: ofDelivery,
    body: z.strictObject({}),
    response: deliveryDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/deliveries/:id/retry',
    summary: 'Retry a waiting or failed delivery now; refused once it is refunded',
    access: 'orders.write',
    params: ofDelivery,
    body: z.strictObject({}),
    response: deliveryDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
  rules: endpoint({
    method: 'GET',
    path: '/api/deliveries/rules',
    summary: 'List the rules that decide deliveries automatically',
    access: 'orders.read',
    response: z.object({ rows: z.array(deskRule) }),
  }),
  setRule: endpoint({
    method: 'PUT',
    path: '/api/deliveries/rules',
    summary:
      'Set the rule that decides unknown deliveries of a server, a product or all automatically; null deletes it',
    access: 'orders.write',
    body: z.strictObject({
      serverId: recordId.nullable(),
      productId: recordId.nullable(),
      decision: z.enum(ruleDecisions).nullable(),
    }),
    response: z.object({ rows: z.array(deskRule) }),
    problems: [...changeProblems, 'NOT_FOUND'],
  }),
  survivorNumbers: endpoint({
    method: 'GET',
    path: '/api/players/:id/survivor-numbers',
    summary: "List a player's survivor numbers on ARK servers, with the source of each",
    access: 'players.read',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    response: z.object({ rows: z.array(survivorNumber) }),
    problems: readProblems,
  }),
  setSurvivorNumber: endpoint({
    method: 'PUT',
    path: '/api/players/:id/survivor-number',
    summary: "Set a player's survivor number on one ARK server; null clears it",
    access: 'orders.write',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    body: z.strictObject({
      serverId: recordId,
      number: z
        .string()
        .regex(/^[1-9]\d{0,18}$/, 'must be digits')
        .nullable(),
    }),
    response: z.object({}),
  }),
} as const;
