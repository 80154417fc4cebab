import * as z from 'zod';
import { eventRow } from './events.ts';
import { stackHealth } from './health.ts';
import type { Permission } from './permissions.ts';
import { problemCodes } from './problems.ts';

/** The panel's WebSocket. It opens with a ticket, as `?ticket=…`; messages are JSON texts both ways. */
export const livePath = '/api/live';

/** What can be subscribed to, and the permission that it needs for as long as it lasts. */
export const liveTopics = {
  events: { permission: 'events.read' },
  health: { permission: 'stack.read' },
} as const satisfies Record<string, { readonly permission: Permission }>;
export type LiveTopicName = keyof typeof liveTopics;
export const liveTopicNames = Object.keys(liveTopics) as [LiveTopicName, ...LiveTopicName[]];

const topic = z.enum(liveTopicNames);

export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    topic,
    /** The last cursor that came on this topic; what followed it comes first. */
    since: z.string().max(100).optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), topic }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

export const serverMessage = z.discriminatedUnion('type', [
  /** The first message. */
  z.object({
    type: z.literal('welcome'),
    contractVersion: z.int(),
    /** A `heartbeat` comes this often; three missed ones mean that the connection is dead. */
    heartbeatSeconds: z.number(),
  }),
  z.object({ type: z.literal('heartbeat') }),
  z.object({
    type: z.literal('subscribed'),
    topic,
    /** To resume from, on topics that can be. */
    cursor: z.string().nullable(),
    /** False when `since` was not given or lies too far back: read the list anew. */
    resumed: z.boolean(),
  }),
  z.object({
    /** Not subscribed, or no longer. */
    type: z.literal('ended'),
    topic,
    code: z.enum(problemCodes).nullable(),
    detail: z.string(),
  }),
  z.object({
    type: z.literal('events'),
    /** In the order in which the stream has them: not always that of their times. */
    events: z.array(eventRow),
    /** Of the last of them. */
    cursor: z.string(),
  }),
  z.object({ type: z.literal('health'), health: stackHealth }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/** With which code the server closes a connection; the reason is in words, or a license code. */
export const liveCloseCodes = {
  /** Shutting down: come again. */
  goingAway: 1001,
  badMessage: 4400,
  /** The session or key that opened it has ended. */
  signedOut: 4401,
  licenseRejected: 4403,
  /** Sent too many messages. */
  tooMany: 4429,
  /** Took its messages too slowly: resume from the last cursor. */
  tooSlow: 4508,
} as const;
