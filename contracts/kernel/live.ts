import * as z from 'zod';
import type { Permission } from '../identity/permissions.ts';
import { componentLogRow, logComponent } from '../operations/component-logs.ts';
import { eventRow } from '../operations/event-row.ts';
import { stackHealth } from '../operations/health.ts';
import { metricPoint } from '../operations/metric-history.ts';
import { serverPlayers } from '../people/players.ts';
import { recordId } from '../servers/clusters.ts';
import { consoleEntry, lineTraits } from '../servers/console.ts';
import { gameServerStatus } from '../servers/game-servers.ts';
import type { ProblemCode } from './problems.ts';

/** The panel's WebSocket. It opens with a ticket, as `?ticket=…`; messages are JSON texts in both directions. */
export const livePath = '/api/live';

/**
 * The topics to subscribe to, and the permission that each needs while the subscription lasts; null: none.
 * - `one`: for one server, which the subscription names
 * - `visible`: for every server for which the subscriber holds the permission
 */
export const liveTopics = {
  events: { permission: 'events.read', servers: null },
  health: { permission: 'stack.read', servers: null },
  figures: { permission: 'stack.read', servers: null },
  servers: { permission: 'servers.read', servers: 'visible' },
  players: { permission: 'players.read', servers: 'visible' },
  console: { permission: 'console.read', servers: 'one' },
  deliveries: { permission: 'orders.read', servers: null },
  'agent-tasks': { permission: 'servers.read', servers: 'visible' },
  enrolments: { permission: 'agents.write', servers: 'visible' },
  log: { permission: 'logs.read', servers: null, component: true },
  waiting: { permission: null, servers: null },
} as const satisfies Record<
  string,
  {
    readonly permission: Permission | null;
    readonly servers: 'one' | 'visible' | null;
    /** For one component, which the subscription names. */
    readonly component?: true;
  }
>;
export type LiveTopicName = keyof typeof liveTopics;
const liveTopicNames = Object.keys(liveTopics) as [LiveTopicName, ...LiveTopicName[]];

const topic = z.enum(liveTopicNames);
/** Required for topics of one server, and only there. */
const serverId = recordId.optional();
/** Required for topics of one component, and only there. */
const component = logComponent.optional();

export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    topic,
    serverId,
    component,
    /** The last cursor received on this topic; what followed it is sent first. */
    since: z.string().max(100).optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), topic, serverId, component }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

export const serverMessage = z.discriminatedUnion('type', [
  /** The first message. */
  z.object({
    type: z.literal('welcome'),
    contractVersion: z.int(),
    /** A `heartbeat` is sent this often; three missed ones mean that the connection is dead. */
    heartbeatSeconds: z.number(),
  }),
  z.object({ type: z.literal('heartbeat') }),
  z.object({
    type: z.literal('subscribed'),
    topic,
    serverId,
    component,
    /** To resume from, for topics that support it. */
    cursor: z.string().nullable(),
    /** False if `since` was not given or is too old: read the list again. */
    resumed: z.boolean(),
  }),
  z.object({
    /** The subscription was refused, or has ended. */
    type: z.literal('ended'),
    topic,
    serverId,
    component,
    code: z.custom<ProblemCode>((code) => typeof code === 'string').nullable(),
    detail: z.string(),
  }),
  z.object({
    type: z.literal('events'),
    /** In the order of the stream, which is not always that of their times. */
    events: z.array(eventRow),
    /** The cursor of the last of them. */
    cursor: z.string(),
  }),
  z.object({ type: z.literal('health'), health: stackHealth }),
  /** First the newest step of the hour, then each step when it is over; steps that do not follow one another have a gap between them. */
  z.object({ type: z.literal('figures'), point: metricPoint }),
  /** First all visible ones, then those whose status has changed. */
  z.object({
    type: z.literal('servers'),
    servers: z.array(z.object({ serverId: z.string(), status: gameServerStatus })),
  }),
  /** First all visible ones, then those whose players have changed. */
  z.object({ type: z.literal('players'), servers: z.array(serverPlayers) }),
  /** Sent first, then after changes, at most once a second: reload what is shown of deliveries and orders. */
  z.object({
    type: z.literal('deliveries'),
    /** Deliveries that wait for a decision. */
    desk: z.int().nonnegative(),
  }),
  /** Sent first without servers, then after changes of tasks, machines and processes of Game Agents: reload them. */
  z.object({ type: z.literal('agent-tasks'), serverIds: z.array(z.string()) }),
  /** Sent first without servers, then after each change of an agent's enrolment: reload it. */
  z.object({ type: z.literal('enrolments'), serverIds: z.array(z.string()) }),
  /** Sent first, and when something begins or ceases to wait for a person: reload what waits. */
  z.object({ type: z.literal('waiting') }),
  /** What the game outputs from now on. */
  z.object({
    type: z.literal('lines'),
    serverId: z.string(),
    lines: z.array(z.object({ at: z.iso.datetime(), text: z.string(), ...lineTraits })),
    /** Number of lines left out before these, because they came too fast for this client. */
    skipped: z.int().nonnegative(),
  }),
  /** A command was given, or it has ended. */
  z.object({ type: z.literal('entry'), entry: consoleEntry }),
  /** What a component wrote to its log, oldest first. */
  z.object({
    type: z.literal('log'),
    component: logComponent,
    rows: z.array(componentLogRow),
    /** Number of lines left out before these, because they came too fast for this client. */
    skipped: z.int().nonnegative(),
    /** The position after the last of them. */
    cursor: z.string(),
  }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/** The codes with which the server closes a connection; the reason is in words, or a license code. */
export const liveCloseCodes = {
  /** Shutting down: reconnect later. */
  goingAway: 1001,
  badMessage: 4400,
  /** The session or key that opened the connection has ended. */
  signedOut: 4401,
  licenseRejected: 4403,
  /** The client sent too many messages. */
  tooMany: 4429,
  /** Too many connections are open, for this person or key or in total. */
  noRoom: 4430,
  /** The client read its messages too slowly: resume from the last cursor. */
  tooSlow: 4508,
} as const;
