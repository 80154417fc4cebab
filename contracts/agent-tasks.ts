import * as z from 'zod';
import { modFile, modsChange } from './agent-mods.ts';
import { utf8Bytes } from './utf8-bytes.ts';

/**
 * What the API asks of an agent besides console commands, and what the agent tells of its machine. Tasks run in a separate lane:
 * a long one delays no command. Everything here is relative to what was set on the game's machine; no task carries a path
 * outside the server's folder, a command line, a unit or an account.
 */

export const powerActions = ['start', 'stop', 'restart', 'kill'] as const;
export const powerAction = z.enum(powerActions);
export type PowerAction = z.infer<typeof powerAction>;

/** Seconds. */
export const longestCountdown = 3600;

/** Said in the game before it stops; `{time}` in the text becomes the time that is left. */
const countdown = z.object({
  seconds: z.int().min(1).max(longestCountdown),
  text: z.string().min(1).max(200),
});

export const agentTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('power'), action: powerAction, countdown: countdown.nullable() }),
  /** Older console and log lines than `before`, newest first; `before` is a cursor of an earlier answer. */
  z.object({
    kind: z.literal('console-history'),
    before: z.string().max(100).nullable(),
    search: z.string().max(200).nullable(),
    limit: z.int().min(1).max(1000),
  }),
  /** The number of a player's survivor in the saved world of an ARK server; `value` holds `number`, digits or null. */
  z.object({ kind: z.literal('survivor-number'), platformId: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('backup-saves') }),
  z.object({ kind: z.literal('list-saves') }),
  z.object({ kind: z.literal('restore-saves'), backup: z.string().min(1).max(100) }),
  /** Puts back what a restore has put aside. */
  z.object({ kind: z.literal('undo-restore'), backup: z.string().min(1).max(100) }),
  /** Deletes the folder that a restore has put aside. */
  z.object({ kind: z.literal('confirm-restore'), backup: z.string().min(1).max(100) }),
  /** What mods are there; the answer is uploaded. */
  z.object({ kind: z.literal('list-mods') }),
  /** Downloads a file into the agent's cache and tells what is in it. */
  z.object({ kind: z.literal('inspect-mod'), file: modFile }),
  z.object({ kind: z.literal('change-mods'), change: modsChange }),
]);
export type AgentTask = z.infer<typeof agentTask>;
export type AgentTaskKind = AgentTask['kind'];
export type AgentTaskOf<Kind extends AgentTaskKind> = Extract<AgentTask, { kind: Kind }>;

/**
 * - `refused`: the machine's owner does not allow it, or the state of the game does not; nothing was done
 * - `unknown`: the agent died meanwhile and cannot tell how far it came
 */
export const taskOutcomes = ['done', 'failed', 'refused', 'cancelled', 'expired', 'unknown'] as const;

/** Bytes of a result as JSON; what is larger goes by an upload. */
export const largestTaskResult = 128 * 1024;

const deepestValue = 16;
const mostValues = 20_000;

/** Looks level by level: a schema that recursed would end on a value that is nested deep enough to exhaust the stack. */
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
  /** A sentence or two for people; null where the outcome says it all. */
  detail: z.string().max(2000).nullable(),
  /** Small facts of this kind of task; what is large goes by an upload. */
  value: z
    .record(z.string(), z.unknown())
    .refine(isSmallValue, 'The value is too deep or too large.')
    .nullable(),
});
export type TaskResult = z.infer<typeof taskResult>;

export const taskProgress = z.object({
  /** What happens now, for people. */
  step: z.string().max(200),
  done: z.number().nonnegative(),
  /** Null while it is not known. */
  total: z.number().nonnegative().nullable(),
});
export type TaskProgress = z.infer<typeof taskProgress>;

/**
 * The game's process, as the agent proves it.
 * - `unmanaged`: nothing on the machine says how the game is started
 * - `backing-off`: crashed, and started again at `nextStartInMs`
 * - `crash-looping`: crashed too often; it stays down until it is started
 * - `unknown`: it cannot be told now; `detail` says why
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
  /** Null where a signal ended it, or the code could not be seen. */
  exitCode: z.int().nullable(),
  signal: z.string().max(20).nullable(),
  /** The game's last lines. */
  lines: z.array(z.string().max(1000)).max(50),
});
export type CrashReport = z.infer<typeof crashReport>;

export const processReport = z.object({
  state: z.enum(processStates),
  /** What the owner last asked for; a stop is never taken for a crash. Null while unmanaged. */
  wanted: z.enum(['running', 'stopped']).nullable(),
  detail: z.string().max(500).nullable(),
  pid: z.int().positive().nullable(),
  /** Since the process started. */
  upMs: z.number().nonnegative().nullable(),
  /** Crashes since it last ran stably. */
  crashes: z.int().nonnegative(),
  nextStartInMs: z.number().nonnegative().nullable(),
  lastCrash: crashReport.nullable(),
});
export type ProcessReport = z.infer<typeof processReport>;

export const startMethods = ['holder', 'systemd', 'windows-service', 'none'] as const;
export type StartMethod = (typeof startMethods)[number];

/**
 * How an agent's update to a newer version stands.
 * - `fetching`: its program is on its way
 * - `trying`: it is tried out in the place of the present one, which is not connected meanwhile
 * - `not-fetched`: its program could not be fetched, or is not what was signed
 * - `went-back`: it did not work, and the version before goes on
 * - `refused`: its release is none that this agent may believe
 * - `by-hand`: this agent was not installed as a service, and never updates itself
 * - `other-system`: there is no program of it for this machine
 */
export const agentRenewalSteps = [
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
  /** The version that is offered; null: it cannot be told. */
  version: z.string().max(50).nullable(),
  /** Why it failed, for people. */
  detail: z.string().max(500).nullable(),
  /** Until a version that failed is tried again. */
  againInMs: z.number().nonnegative().nullable(),
});
export type AgentRenewal = z.infer<typeof agentRenewal>;

/** What was set on the game's machine; the panel shows it and can change none of it. */
export const machineFacts = z.object({
  platform: z.enum(['linux', 'windows']),
  folder: z.string().max(1000).nullable(),
  startMethod: z.enum(startMethods),
  /** The command, unit or service, without secrets. */
  startDetail: z.string().max(500).nullable(),
  /** Null: the agent's own. */
  account: z.string().max(200).nullable(),
  allows: z.object({ power: z.boolean(), files: z.boolean(), mods: z.boolean() }),
  /** The kinds of tasks that this agent can do. */
  tasks: z.array(z.string().max(50)).max(50),
  hasConsole: z.boolean(),
  /** Absent while nothing newer was offered. What only a later agent knows must not keep it from tasks. */
  renewal: agentRenewal.optional().catch(undefined),
});
export type MachineFacts = z.infer<typeof machineFacts>;
