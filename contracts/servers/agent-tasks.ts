import * as z from 'zod';
import { programFault } from '../kernel/program-faults.ts';
import { utf8Bytes } from '../kernel/utf8-bytes.ts';
import { modFile, modsChange } from './agent-mods.ts';

/**
 * What the API asks of an agent besides console commands, and what the agent reports about its machine. Tasks run in a
 * separate lane: a long one delays no command. Everything here is relative to settings on the game's machine; no task
 * carries a path outside the server's folder, a command line, a unit or an account.
 */

export const powerActions = ['start', 'stop', 'restart', 'kill'] as const;
export const powerAction = z.enum(powerActions);
export type PowerAction = z.infer<typeof powerAction>;

/** In seconds. */
export const longestCountdown = 3600;

/** Announced in the game before it stops; `{time}` in the text becomes the remaining time. */
const countdown = z.object({
  seconds: z.int().min(1).max(longestCountdown),
  text: z.string().min(1).max(200),
});

/** The most that a machine's settings take, too. */
export const mostSavesKept = 1000;
export const mostSavesDays = 3650;
/** When worlds are backed up, and how many backups are kept. */
export const savesSchedule = z
  .object({
    /** Minutes after midnight, in the machine's time. */
    atMinute: z
      .int()
      .min(0)
      .max(24 * 60 - 1),
    keep: z.int().min(1).max(mostSavesKept),
    days: z.int().min(1).max(mostSavesDays),
  })
  .meta({ id: 'SavesSchedule' });
export type SavesSchedule = z.infer<typeof savesSchedule>;

export const agentTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('power'), action: powerAction, countdown: countdown.nullable() }),
  /** Console and log lines older than `before`, newest first; `before` is a cursor from an earlier answer. */
  z.object({
    kind: z.literal('console-history'),
    before: z.string().max(100).nullable(),
    search: z.string().max(200).nullable(),
    limit: z.int().min(1).max(1000),
  }),
  /** A player's survivor number in the saved world of an ARK server; `value` holds `number`, digits or null. */
  z.object({ kind: z.literal('survivor-number'), platformId: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('backup-saves') }),
  z.object({ kind: z.literal('list-saves') }),
  z.object({ kind: z.literal('restore-saves'), backup: z.string().min(1).max(100) }),
  /** Puts back the folder that a restore moved aside. */
  z.object({ kind: z.literal('undo-restore'), backup: z.string().min(1).max(100) }),
  /** Deletes the folder that a restore moved aside. */
  z.object({ kind: z.literal('confirm-restore'), backup: z.string().min(1).max(100) }),
  /** Takes the place of the machine's own schedule, never with less than it keeps; null: the machine's own applies. */
  z.object({ kind: z.literal('schedule-saves'), schedule: savesSchedule.nullable() }),
  /** The installed mods; the answer is uploaded. */
  z.object({ kind: z.literal('list-mods') }),
  /** Downloads a file into the agent's cache and reports its contents. */
  z.object({ kind: z.literal('inspect-mod'), file: modFile }),
  z.object({ kind: z.literal('change-mods'), change: modsChange }),
]);
export type AgentTask = z.infer<typeof agentTask>;
export type AgentTaskKind = AgentTask['kind'];
export type AgentTaskOf<Kind extends AgentTaskKind> = Extract<AgentTask, { kind: Kind }>;

/**
 * - `refused`: the machine's owner or the state of the game does not allow it; nothing was done
 * - `unknown`: the agent died during the task and cannot tell how far it got
 */
export const taskOutcomes = ['done', 'failed', 'refused', 'cancelled', 'expired', 'unknown'] as const;

/** Bytes of a result as JSON; anything larger is uploaded. */
export const largestTaskResult = 128 * 1024;

const deepestValue = 16;
const mostValues = 20_000;

/** Checks level by level: a recursive schema would fail on a value nested deeply enough to exhaust the stack. */
const isSmallValue = (value: unknown): boolean => {
  let level: unknown[] = [value];
  let count = 1;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepestValue) return false;
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const inner = Object.values(one);
      count += inner.length;
      if (count > mostValues) return false;
      for (const each of inner) below.push(each);
    }
    level = below;
  }
  return utf8Bytes(JSON.stringify(value)) <= largestTaskResult;
};

export const taskResult = z.object({
  outcome: z.enum(taskOutcomes),
  /** A sentence or two for people; null if the outcome says it all. */
  detail: z.string().max(2000).nullable(),
  /** Small facts specific to this kind of task; anything large is uploaded. */
  value: z
    .record(z.string(), z.unknown())
    .refine(isSmallValue, 'The value is too deep or too large.')
    .nullable(),
});
export type TaskResult = z.infer<typeof taskResult>;

export const taskProgress = z.object({
  /** What is happening now, for people. */
  step: z.string().max(200),
  done: z.number().nonnegative(),
  /** Null while unknown. */
  total: z.number().nonnegative().nullable(),
});
export type TaskProgress = z.infer<typeof taskProgress>;

/**
 * The game's process, as the agent proves it.
 * - `unmanaged`: the machine has no setting for how the game is started
 * - `backing-off`: crashed, and will be started again at `nextStartInMs`
 * - `crash-looping`: crashed too often; it stays down until someone starts it
 * - `unknown`: it cannot be determined now; `detail` says why
 */
export const processStates = [
  'unmanaged',
  'stopped',
  'starting',
  'running',
  'stopping',
  'backing-off',
  'crash-looping',
  'unknown',
] as const;
export type ProcessState = (typeof processStates)[number];

export const crashReport = z.object({
  /** How long before the frame was made. */
  ageMs: z.number().nonnegative(),
  /** Null if a signal ended it, or if the code could not be read. */
  exitCode: z.int().nullable(),
  signal: z.string().max(20).nullable(),
  /** The game's last lines. */
  lines: z.array(z.string().max(1000)).max(50),
});
export type CrashReport = z.infer<typeof crashReport>;

export const processReport = z.object({
  state: z.enum(processStates),
  /** What the owner last asked for; a stop never counts as a crash. Null while unmanaged. */
  wanted: z.enum(['running', 'stopped']).nullable(),
  detail: z.string().max(500).nullable(),
  pid: z.int().positive().nullable(),
  /** Since the process started. */
  upMs: z.number().nonnegative().nullable(),
  /** Crashes since it last ran stably. */
  crashes: z.int().nonnegative(),
  nextStartInMs: z.number().nonnegative().nullable(),
  lastCrash: crashReport.nullable(),
  /**
   * Why its program cannot be run: the game is down, and is started once the program is there. Sent only with the capability
   * `program-fault`; a fault that only a later agent knows must not keep the report from the API.
   */
  program: programFault.optional().catch(undefined),
});
export type ProcessReport = z.infer<typeof processReport>;

export const startMethods = ['holder', 'systemd', 'windows-service', 'none'] as const;
export type StartMethod = (typeof startMethods)[number];

/**
 * The state of an agent's update to a newer version.
 * - `fetching`: its program is being downloaded
 * - `trying`: it is tried in place of the current one, which is disconnected for that time
 * - `not-fetched`: its program could not be downloaded, or does not match the signature
 * - `went-back`: it did not work, and the previous version runs again
 * - `refused`: this agent must not trust its release
 * - `by-hand`: this agent was not installed as a service, and never updates itself
 * - `other-system`: it has no program for this machine
 */
const agentRenewalSteps = [
  'fetching',
  'trying',
  'not-fetched',
  'went-back',
  'refused',
  'by-hand',
  'other-system',
] as const;
export const agentRenewal = z.object({
  step: z.enum(agentRenewalSteps),
  /** The offered version; null: it cannot be determined. */
  version: z.string().max(50).nullable(),
  /** Why it failed, for people. */
  detail: z.string().max(500).nullable(),
  /** How long until a version that failed is tried again. */
  againInMs: z.number().nonnegative().nullable(),
});
export type AgentRenewal = z.infer<typeof agentRenewal>;

/** The settings on the game's machine; the panel shows them and cannot change them. */
export const machineFacts = z.object({
  platform: z.enum(['linux', 'windows']),
  folder: z.string().max(1000).nullable(),
  startMethod: z.enum(startMethods),
  /** The command, unit or service, without secrets. */
  startDetail: z.string().max(500).nullable(),
  /** Null: the agent's own account. */
  account: z.string().max(200).nullable(),
  allows: z.object({
    power: z.boolean(),
    files: z.boolean(),
    mods: z.boolean(),
    /** The panel may schedule backups of the worlds. Earlier agents do not say. */
    backups: z.boolean().optional(),
  }),
  /** The kinds of tasks that this agent supports. */
  tasks: z.array(z.string().max(50)).max(50),
  hasConsole: z.boolean(),
  /** The game's lines reach the agent, from its log or its output. Earlier agents do not say. */
  readsLog: z.boolean().optional(),
  /** Absent while nothing newer was offered. A value that only a later agent knows must not keep it from tasks. */
  renewal: agentRenewal.optional().catch(undefined),
});
export type MachineFacts = z.infer<typeof machineFacts>;
