import * as z from 'zod';
import { botStates } from '../discord/bot-states.ts';
import { licenseFaults, licenseStates } from '../license/license-state.ts';
import type { Severity } from '../operations/event-row.ts';
import { spaceLevels } from '../operations/health.ts';
import { restoreRunFaults, restoreRunSteps } from '../operations/restore-run-faults.ts';
import { type WaitingKind, waitingKindNames } from '../operations/waiting.ts';
import { agentRefusals } from '../servers/agent-connection.ts';
import { commandOutcomes, gameId } from '../servers/games.ts';
import { deskReasons } from '../store/desk-reasons.ts';
import { shopOrderReasons } from '../storefronts/shop-order-reasons.ts';
import { programFault } from './program-faults.ts';

interface EventKind<Payload extends z.ZodType> {
  readonly summary: string;
  /** Fixed, or derived from the payload. */
  readonly severity: Severity | ((payload: z.output<Payload>) => Severity);
  readonly payload: Payload;
}

const kind = <const Payload extends z.ZodType>(declared: EventKind<Payload>): EventKind<Payload> => declared;

/** Times are ISO 8601 in UTC. */
const time = z.iso.datetime();

const restoreRunEvent = {
  name: z.string(),
  backup: z.string(),
  by: z.string(),
  step: z.enum(restoreRunSteps),
  /** Why; null: no code says it. */
  code: z.enum(restoreRunFaults).nullable(),
};

/** Each of these has an event of its own, which says more. */
const toldByThemselves: readonly WaitingKind[] = [
  'damage',
  'deliveries',
  'shop-orders',
  'shop-orders-left',
  'restores',
  'world-backups',
  'restore-runs',
  'mod-failures',
  'mod-updates',
];

/** Every kind of event that the event log can hold. A feature adds its kinds here; a released kind keeps its meaning. */
export const eventKinds = {
  'stack.started': kind({
    summary: 'The API has started',
    severity: 'info',
    payload: z.strictObject({ version: z.string() }),
  }),
  'license.changed': kind({
    summary: 'The state of the license has changed',
    severity: ({ to }) => (to === 'valid' ? 'notice' : to === 'grace' ? 'warning' : 'alert'),
    payload: z.strictObject({
      from: z.enum(licenseStates),
      to: z.enum(licenseStates),
      code: z.enum(licenseFaults).nullable(),
    }),
  }),
  'license.ends-soon': kind({
    summary: 'The license is about to end',
    severity: 'alert',
    payload: z.strictObject({ endsAt: time }),
  }),
  'database.recovered': kind({
    summary: 'The database answers again',
    severity: 'warning',
    payload: z.strictObject({ unreachableSince: time, fault: z.string() }),
  }),
  'backup.taken': kind({
    summary: 'A backup was taken',
    severity: 'info',
    payload: z.strictObject({
      name: z.string(),
      reason: z.string(),
      bytes: z.int().nonnegative().nullable(),
    }),
  }),
  'backup.failed': kind({
    summary: 'A backup failed',
    severity: 'alert',
    payload: z.strictObject({ reason: z.string(), detail: z.string() }),
  }),
  'backup.damaged': kind({
    summary: 'A stored backup has changed since it was taken',
    severity: 'alert',
    payload: z.strictObject({ name: z.string(), file: z.string() }),
  }),
  'database.damaged': kind({
    summary: 'A backup has found the files of the database damaged',
    severity: 'alert',
    payload: z.strictObject({ detail: z.string() }),
  }),
  'disk.state-changed': kind({
    summary: 'The space on a disk of this machine has changed for the better or the worse',
    severity: ({ to }) => (to === 'enough' ? 'notice' : to === 'low' ? 'warning' : 'alert'),
    payload: z.strictObject({
      from: z.enum(spaceLevels),
      to: z.enum(spaceLevels),
      freeBytes: z.int().nonnegative(),
    }),
  }),
  'secrets.key-replaced': kind({
    summary: 'CONFIG_ENCRYPTION_KEY was replaced',
    severity: 'warning',
    payload: z.strictObject({
      /** Of the key in use: the first 8 hex digits of its SHA-256. */
      keyId: z.string(),
      replacedKeyId: z.string(),
      /** How many secrets each key encrypts. */
      secrets: z.array(z.strictObject({ keyId: z.string(), count: z.int().nonnegative() })),
    }),
  }),
  'bot.state-changed': kind({
    summary: 'The Discord bot has changed its state',
    severity: ({ to }) => (to === 'throttled' ? 'warning' : 'info'),
    payload: z.strictObject({
      from: z.enum(botStates).nullable(),
      to: z.enum(botStates),
      detail: z.string(),
    }),
  }),
  'waiting.began': kind({
    summary: 'Something of a kind waits for a person, of which nothing waited before',
    severity: ({ waiting }) => (toldByThemselves.includes(waiting) ? 'notice' : 'warning'),
    payload: z.strictObject({ waiting: z.enum(waitingKindNames), count: z.int().positive() }),
  }),
  'waiting.ended': kind({
    summary: 'Nothing of a kind waits for a person any more',
    severity: 'info',
    payload: z.strictObject({ waiting: z.enum(waitingKindNames) }),
  }),
  'queue.job-failed': kind({
    summary: 'A job has failed for good',
    severity: 'warning',
    payload: z.strictObject({ queue: z.string(), jobId: z.guid(), tries: z.int().positive() }),
  }),
  'delivery.failed': kind({
    summary: 'A delivery has failed for good, and its points were returned',
    severity: 'warning',
    payload: z.strictObject({
      deliveryId: z.guid(),
      orderId: z.string(),
      detail: z.string(),
      /** Points returned; zero for what was paid at an external shop. Absent in earlier events. */
      points: z.int().nonnegative().optional(),
    }),
  }),
  'delivery.needs-decision': kind({
    summary: 'A person has to decide how a delivery ended',
    severity: 'alert',
    payload: z.strictObject({ deliveryId: z.guid(), orderId: z.string(), reason: z.enum(deskReasons) }),
  }),
  'shop.order-arrived': kind({
    summary: 'An external shop has reported an order',
    severity: 'info',
    payload: z.strictObject({ shopId: z.string(), shop: z.string(), order: z.string() }),
  }),
  'shop.order-waits': kind({
    summary: 'An order of an external shop needs a person',
    severity: 'alert',
    payload: z.strictObject({
      shopId: z.string(),
      shop: z.string(),
      order: z.string(),
      reason: z.enum(shopOrderReasons),
    }),
  }),
  'shop.order-taken-back': kind({
    summary: 'An order of an external shop was refunded or disputed, and taken back',
    severity: ({ left = [] }) => (left.length > 0 ? 'warning' : 'notice'),
    payload: z.strictObject({
      shopId: z.string(),
      shop: z.string(),
      order: z.string(),
      reason: z.enum(shopOrderReasons),
      /** Products that may still be in the game. */
      left: z.array(z.string()).optional(),
    }),
  }),
  'entitlement.ended': kind({
    summary: 'Something that a member had for a time has ended',
    severity: 'info',
    payload: z.strictObject({
      memberId: z.string(),
      game: gameId,
      key: z.string(),
      why: z.enum(['time', 'refunded', 'decided']),
    }),
  }),
  'entitlement.needs-decision': kind({
    summary: 'No one can tell whether something was taken back at its end',
    severity: 'alert',
    payload: z.strictObject({ memberId: z.string(), key: z.string() }),
  }),
  'admin.signed-in': kind({
    summary: 'An admin has signed in',
    severity: 'info',
    /** The address of a sign-in is empty for callers who may not see admins and their sessions. */
    payload: z.strictObject({ adminId: z.string(), name: z.string(), address: z.string() }),
  }),
  'login.failed': kind({
    summary: 'A sign-in failed',
    severity: 'notice',
    payload: z.strictObject({ name: z.string(), address: z.string() }),
  }),
  'server.online': kind({
    summary: 'A game server answers',
    severity: 'info',
    payload: z.strictObject({ name: z.string(), via: z.enum(['agent', 'direct']) }),
  }),
  'server.unreachable': kind({
    summary: 'A game server does not answer any more',
    severity: 'warning',
    payload: z.strictObject({
      name: z.string(),
      via: z.enum(['agent', 'direct']),
      outcome: z.enum(commandOutcomes).nullable(),
      detail: z.string(),
    }),
  }),
  'server.players-unreadable': kind({
    summary: 'A game server answers with a list of players that cannot be read',
    severity: 'warning',
    payload: z.strictObject({ name: z.string(), via: z.enum(['agent', 'direct']), detail: z.string() }),
  }),
  'server.started': kind({
    summary: 'The process of a game server has started',
    severity: 'info',
    payload: z.strictObject({ name: z.string() }),
  }),
  'server.stopped': kind({
    summary: 'The process of a game server has ended as it was told to',
    severity: 'notice',
    payload: z.strictObject({ name: z.string() }),
  }),
  'server.crashed': kind({
    summary: 'The process of a game server has ended by itself',
    severity: 'warning',
    payload: z.strictObject({
      name: z.string(),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      /** Since it last ran stably, including this one. */
      crashes: z.int().nonnegative(),
    }),
  }),
  'server.program-fault': kind({
    summary: 'The program of a game server does not exist or cannot be loaded; it starts once it can be',
    severity: 'alert',
    payload: z.strictObject({ name: z.string(), ...programFault.shape }),
  }),
  'server.crash-looping': kind({
    summary: 'A game server has crashed too often and stays down until it is started',
    severity: 'alert',
    payload: z.strictObject({ name: z.string(), crashes: z.int().nonnegative() }),
  }),
  'saves.backed-up': kind({
    summary: 'The saves of a game server were backed up',
    severity: ({ notes }) => (notes > 0 ? 'notice' : 'info'),
    payload: z.strictObject({
      name: z.string(),
      backup: z.string(),
      bytes: z.int().nonnegative(),
      /** The number of notes about it. */
      notes: z.int().nonnegative(),
    }),
  }),
  'saves.backup-failed': kind({
    summary: 'A backup of saves that someone asked for was not made',
    severity: 'warning',
    payload: z.strictObject({ name: z.string(), by: z.string(), detail: z.string() }),
  }),
  'saves.nightly-failed': kind({
    summary: 'The nightly backup of saves was not made',
    severity: 'alert',
    payload: z.strictObject({ name: z.string(), detail: z.string() }),
  }),
  'saves.restored': kind({
    summary: 'A backup of saves was restored',
    severity: 'notice',
    payload: z.strictObject({ name: z.string(), backup: z.string(), by: z.string() }),
  }),
  'saves.restore-undone': kind({
    summary: 'The restore of a backup was undone',
    severity: 'notice',
    payload: z.strictObject({ name: z.string(), backup: z.string(), by: z.string() }),
  }),
  'saves.restore-failed': kind({
    summary: 'A restore that goes through by itself ended without its result',
    // Before its game was stopped, nothing has changed.
    severity: ({ step }) => (step === 'stopping' ? 'warning' : 'alert'),
    payload: z.strictObject({ ...restoreRunEvent, detail: z.string() }),
  }),
  'saves.restore-waits': kind({
    summary: 'A restore that goes through by itself has waited for a minute',
    severity: 'warning',
    payload: z.strictObject(restoreRunEvent),
  }),
  'mods.changed': kind({
    summary: 'The mods of a game server were changed',
    severity: 'notice',
    payload: z.strictObject({ name: z.string(), by: z.string(), count: z.int().nonnegative() }),
  }),
  'mods.rolled-back': kind({
    summary: 'A game server did not come up with its new mods, and has its old ones again',
    severity: 'alert',
    payload: z.strictObject({ name: z.string(), by: z.string(), detail: z.string() }),
  }),
  'mods.failed': kind({
    summary: 'The mods of a game server could not be changed',
    severity: 'warning',
    payload: z.strictObject({ name: z.string(), by: z.string(), detail: z.string() }),
  }),
  'mods.updates': kind({
    summary: 'There are new versions of mods that a game server has',
    severity: 'notice',
    payload: z.strictObject({
      name: z.string(),
      /** The number of mods with an update. */
      count: z.int().positive(),
      /** Names of the first ten. */
      mods: z.array(z.string()).max(10),
    }),
  }),
  'mods.wave-done': kind({
    summary: 'The mods of several game servers were changed, one server first',
    severity: 'info',
    payload: z.strictObject({
      by: z.string(),
      /** Servers whose mods were changed. */
      changed: z.int().nonnegative(),
      /** Servers that could not be started on. */
      blocked: z.int().nonnegative(),
    }),
  }),
  'mods.wave-stopped': kind({
    summary: 'A change of the mods of several game servers was stopped by one of them',
    severity: 'alert',
    payload: z.strictObject({
      by: z.string(),
      name: z.string(),
      detail: z.string(),
      /** Servers that were left unchanged. */
      left: z.int().nonnegative(),
    }),
  }),
  'season.began': kind({
    summary: 'A new season has begun',
    severity: 'notice',
    payload: z.strictObject({
      name: z.string(),
      game: gameId,
      by: z.string(),
      /** Members who are given something again, or lose points. */
      members: z.int().nonnegative(),
      /** Pieces of products that are given again. */
      pieces: z.int().nonnegative(),
      /** Texts by language; empty if there is none. */
      announcement: z.strictObject({ en: z.string(), 'pt-BR': z.string() }),
    }),
  }),
  'player.joined': kind({
    summary: 'A player has joined',
    severity: 'info',
    payload: z.strictObject({ playerId: z.string(), name: z.string() }),
  }),
  'player.left': kind({
    summary: 'A player has left',
    severity: 'info',
    payload: z.strictObject({ playerId: z.string(), name: z.string(), playedSeconds: z.int().nonnegative() }),
  }),
  'chat.message': kind({
    summary: 'A player said something',
    severity: 'info',
    payload: z.strictObject({ playerId: z.string().nullable(), name: z.string(), text: z.string() }),
  }),
  'discord.member-joined': kind({
    summary: 'A person has joined the Discord server',
    severity: 'info',
    payload: z.strictObject({ discordId: z.string(), name: z.string() }),
  }),
  'discord.member-left': kind({
    summary: 'A person has left the Discord server',
    severity: 'info',
    payload: z.strictObject({ discordId: z.string(), name: z.string() }),
  }),
  'agent.connected': kind({
    summary: 'A Game Agent has connected',
    severity: 'info',
    payload: z.strictObject({
      name: z.string(),
      mode: z.enum(['websocket', 'polling']),
      version: z.string(),
      address: z.string(),
    }),
  }),
  'agent.stale': kind({
    summary: 'Nothing is heard from a Game Agent any more',
    severity: 'warning',
    payload: z.strictObject({ name: z.string(), lastSeenAt: time }),
  }),
  'agent.pinned': kind({
    summary: 'A new Game Agent was admitted for the first time',
    severity: 'notice',
    payload: z.strictObject({ name: z.string(), fingerprint: z.string(), address: z.string() }),
  }),
  'agent.refused': kind({
    summary: 'A Game Agent was refused',
    severity: 'warning',
    payload: z.strictObject({ code: z.enum(agentRefusals), detail: z.string(), address: z.string() }),
  }),
} as const;

type EventKinds = typeof eventKinds;
export type EventKindName = keyof EventKinds;
export type EventPayload<Name extends EventKindName> = z.output<EventKinds[Name]['payload']>;
export const eventKindNames = Object.keys(eventKinds) as [EventKindName, ...EventKindName[]];

/** The severity of one event. @throws {z.ZodError} when the payload does not have its kind's shape */
export const severityOf = <Name extends EventKindName>(name: Name, payload: EventPayload<Name>): Severity => {
  const { severity, payload: schema }: EventKind<z.ZodType> = eventKinds[name];
  const checked = schema.parse(payload);
  return typeof severity === 'function' ? severity(checked) : severity;
};
