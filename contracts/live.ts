import * as z from 'zod';
import { recordId } from './clusters.ts';
import { componentLogRow, logComponent } from './component-logs.ts';
import { consoleEntry } from './console.ts';
import { eventRow } from './events.ts';
import { gameServerStatus } from './game-servers.ts';
import { stackHealth } from './health.ts';
import { metricPoint } from './metric-history.ts';
import type { Permission } from './permissions.ts';
import { serverPlayers } from './players.ts';
import type { ProblemCode } from './problems.ts';

/** The panel's WebSocket. It opens with a ticket, as `?ticket=…`; messages are JSON texts both ways. */
export const livePath = '/api/live';

/**
 * What can be subscribed to, and the permission that it needs for as long as it lasts.
 * - `one`: of one server, which the subscription names
 * - `visible`: of every server for which the subscriber holds the permission
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
} as const satisfies Record<
  string,
  {
    readonly permission: Permission;
    readonly servers: 'one' | 'visible' | null;
    /** Of one component, which the subscription names. */
    readonly component?: true;
  }
>;
export type LiveTopicName = keyof typeof liveTopics;
export const liveTopicNames = Object.keys(liveTopics) as [LiveTopicName, ...LiveTopicName[]];

const topic = z.enum(liveTopicNames);
/** Given on topics of one server, and only there. */
const serverId = recordId.optional();
/** Given on topics of one component, and only there. */
const component = logComponent.optional();

export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    topic,
    serverId,
    component,
    /** The last cursor that came on this topic; what followed it comes first. */
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
    /** A `heartbeat` comes this often; three missed ones mean that the connection is dead. */
    heartbeatSeconds: z.number(),
  }),
  z.object({ type: z.literal('heartbeat') }),
  z.object({
    type: z.literal('subscribed'),
    topic,
    serverId,
    component,
    /** To resume from, on topics that can be. */
    cursor: z.string().nullable(),
    /** False when `since` was not given or lies too far back: read the list anew. */
    resumed: z.boolean(),
  }),
  z.object({
    /** Not subscribed, or no longer. */
    type: z.literal('ended'),
    topic,
    serverId,
    component,
    code: z.custom<ProblemCode>((code) => typeof code === 'string').nullable(),
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
  /** The newest step of the hour at first, then each when it is over; between two that do not follow, there is a gap. */
  z.object({ type: z.literal('figures'), point: metricPoint }),
  /** All that are visible at first, then those whose status has changed. */
  z.object({
    type: z.literal('servers'),
    servers: z.array(z.object({ serverId: z.string(), status: gameServerStatus })),
  }),
  /** All that are visible at first, then those whose players have changed. */
  z.object({ type: z.literal('players'), servers: z.array(serverPlayers) }),
  /** At first, then after changes, at most once a second: read again what is shown of deliveries and orders. */
  z.object({
    type: z.literal('deliveries'),
    /** Deliveries that wait for a decision. */
    desk: z.int().nonnegative(),
  }),
  /** At first without a server, then after changes of tasks, machines and processes of Game Agents: read them again. */
  z.object({ type: z.literal('agent-tasks'), serverIds: z.array(z.string()) }),
  /** At first without a server, then after each change of an enrolment of an agent: read it again. */
  z.object({ type: z.literal('enrolments'), serverIds: z.array(z.string()) }),
  /** What the game writes by itself, from now on. */
  z.object({
    type: z.literal('lines'),
    serverId: z.string(),
    lines: z.array(z.object({ at: z.iso.datetime(), text: z.string() })),
    /** Lines that came too fast for this client and are left out before these. */
    skipped: z.int().nonnegative(),
  }),
  /** A command was given, or has ended. */
  z.object({ type: z.literal('entry'), entry: consoleEntry }),
  /** What a component has written to its log, the oldest first. */
  z.object({
    type: z.literal('log'),
    component: logComponent,
    rows: z.array(componentLogRow),
    /** Lines that came too fast for this client and are left out before these. */
    skipped: z.int().nonnegative(),
    /** Behind the last of them. */
    cursor: z.string(),
  }),
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
