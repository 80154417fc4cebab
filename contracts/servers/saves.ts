import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { restoreRunSteps } from '../operations/restore-run-faults.ts';
import { longestCountdown, machineFacts, savesSchedule, taskOutcomes, taskProgress } from './agent-tasks.ts';
import { recordId } from './clusters.ts';
import { powerObstacles } from './power.ts';

const time = z.iso.datetime();
const bytes = z.int().nonnegative();

/**
 * - `backup`: copies the current worlds
 * - `restore`: replaces them by those of a backup; the previous ones are kept next to them
 * - `undo`: puts the previous ones back
 * - `confirm`: deletes the previous ones
 */
const saveActions = ['backup', 'restore', 'undo', 'confirm'] as const;
export type SaveAction = (typeof saveActions)[number];

/** A requested action on a server's saves. */
const saveAct = z
  .object({
    id: z.string(),
    action: z.enum(saveActions),
    /** The backup's name; for a new backup, null until it exists. */
    backup: z.string().nullable(),
    /** The person who asked, for display. */
    byName: z.string(),
    requestedAt: time,
    /** What is happening now; null before the agent reports, and once it has ended. */
    progress: taskProgress.nullable(),
    isCancelled: z.boolean(),
    /** Null while it is in progress. */
    outcome: z.enum(taskOutcomes).nullable(),
    detail: z.string().nullable(),
    endedAt: time.nullable(),
  })
  .meta({ id: 'SaveAct' });
export type SaveAct = z.infer<typeof saveAct>;

const savesBackup = z
  .object({
    name: z.string(),
    takenAt: time,
    /** `takenAt` lies ahead of now, or did when this backup was first seen, so its age is not known. Absent: it does not. */
    isDatedAhead: z.literal(true).optional(),
    /** Bytes of the worlds. */
    bytes,
    /** Bytes on the disk. */
    storedBytes: bytes,
    files: z.int().nonnegative(),
    /** What to know before restoring it, for example files that the game changed while they were copied. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'SavesBackup' });
export type SavesBackup = z.infer<typeof savesBackup>;

/** Why nothing can be done with a server's saves now. */
const savesObstacles = [
  'SERVER_ARCHIVED',
  'SAVES_AGENT_AWAY',
  'SAVES_AGENT_TOO_OLD',
  'SAVES_FOLDER_UNKNOWN',
] as const;
export type SavesObstacle = (typeof savesObstacles)[number];

/** Why no backup can be restored now, although one can be taken. */
const restoreObstacles = ['SAVES_NOT_ALLOWED', 'SAVES_GAME_RUNNING', 'SAVES_UNCONFIRMED'] as const;
export type RestoreObstacle = (typeof restoreObstacles)[number];

/**
 * A restore, or its undo, that stops the game, replaces the worlds and starts the game again by itself. `step` is the one under way,
 * or the one in which it ended.
 */
const restoreRun = z
  .object({
    id: z.string(),
    action: z.enum(['restore', 'undo']),
    backup: z.string(),
    /** The person who asked, for display. */
    byName: z.string(),
    requestedAt: time,
    step: z.enum(restoreRunSteps),
    /** Null while it is in progress. */
    outcome: z.enum(['done', 'failed', 'cancelled']).nullable(),
    /** The problem code of why it failed; null: there is none. */
    problem: z.string().nullable(),
    detail: z.string().nullable(),
    endedAt: time.nullable(),
  })
  .meta({ id: 'RestoreRun' });
export type RestoreRun = z.infer<typeof restoreRun>;

/** Why the schedule of backups cannot be set in the panel now. */
const scheduleObstacles = [
  'SERVER_ARCHIVED',
  'SAVES_AGENT_AWAY',
  'SAVES_AGENT_TOO_OLD',
  'SAVES_FOLDER_UNKNOWN',
  'SAVES_SCHEDULE_NOT_ALLOWED',
] as const;
export type ScheduleObstacle = (typeof scheduleObstacles)[number];

/**
 * What people asked for in the panel. What the agent really does is in its list.
 * - `none`: nothing is asked for
 * - `applied`: the agent does it, as far as its last list tells
 * - `waiting`: it goes to the agent as soon as that is connected
 * - `failed`: the agent did not take it; it is asked again
 * - `ended`: the machine's owner does not allow it any more, and the machine's own schedule applies
 */
const scheduleStates = ['none', 'applied', 'waiting', 'failed', 'ended'] as const;
const requestedSchedule = z
  .object({
    /** 0: never set. */
    version: z.int().nonnegative(),
    /** Null: the machine's own schedule. */
    requested: savesSchedule.nullable(),
    /** The person who changed it last, for display. */
    byName: z.string().nullable(),
    changedAt: time.nullable(),
    state: z.enum(scheduleStates),
    /** Why it failed, in the agent's words. */
    detail: z.string().nullable(),
    /** Of the game's machine, for what is typed there; null: no agent has told. */
    platform: machineFacts.shape.platform.nullable(),
    /** Null: it can be set. */
    obstacle: z.enum(scheduleObstacles).nullable(),
  })
  .meta({ id: 'RequestedSchedule' });
export type RequestedSchedule = z.infer<typeof requestedSchedule>;

const kept = z.object({ keep: z.int().positive(), days: z.int().positive() });

const serverSaves = z
  .object({
    isAgentPresent: z.boolean(),
    obstacle: z.enum(savesObstacles).nullable(),
    restoreObstacle: z.enum(restoreObstacles).nullable(),
    /** As the agent reported it at `at`; null: no agent has reported. */
    list: z
      .object({
        at: time,
        /** Newest first. */
        backups: z.array(savesBackup),
        /** The backup whose restore is neither confirmed nor undone. */
        unconfirmed: z.string().nullable(),
        /** When the agent takes backups automatically; null: never. */
        nightly: z
          .object({
            /** Minutes after midnight, in that machine's time. */
            atMinute: z
              .int()
              .min(0)
              .max(24 * 60 - 1),
            /** The last one that was due; null: none yet. */
            last: z
              .object({ at: time, isTaken: z.boolean(), detail: z.string().max(2000).nullable() })
              .nullable(),
          })
          .nullable(),
        /** How many the agent keeps; null: an older agent, which does not say. */
        schedule: kept
          .extend({
            /** Set on the game's machine: a schedule of the panel keeps no less. */
            least: kept,
            /** The panel's schedule, which applies now; null: the machine's own does. */
            panel: savesSchedule.nullable(),
          })
          .nullable(),
        /** Free space on the disk that holds the backups; null: it could not be read. */
        freeBytes: bytes.nullable(),
      })
      .nullable(),
    schedule: requestedSchedule,
    /** Whether its agent can undo a restore; otherwise the server's name must be typed. */
    canUndo: z.boolean(),
    /** The newest; null: there was none. */
    run: restoreRun.nullable(),
    /** Null: none is in progress. */
    act: saveAct.nullable(),
    /** The act that ended last. */
    lastAct: saveAct.nullable(),
  })
  .meta({ id: 'ServerSaves' });
export type ServerSaves = z.infer<typeof serverSaves>;

const backupName = z.string().min(1).max(100);
/** As the panel shows it, typed by the person who restores; needed where the restore cannot be undone. */
const serverName = z.string().max(200).optional();

const saveRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('backup') }),
  z.strictObject({ action: z.literal('restore'), backup: backupName, serverName }),
  z.strictObject({ action: z.literal('undo'), backup: backupName, serverName }),
  z.strictObject({ action: z.literal('confirm'), backup: backupName }),
]);
export type SaveRequest = z.output<typeof saveRequest>;

const restoreRunRequest = z.strictObject({
  action: z.enum(['restore', 'undo']),
  backup: backupName,
  serverName,
  /** Of a stop. Absent: the one from the settings while players are online, otherwise none. */
  countdownSeconds: z.int().min(0).max(longestCountdown).optional(),
  /** Whether the game is started at the end. */
  starts: z.boolean(),
});
export type RestoreRunRequest = z.output<typeof restoreRunRequest>;

const ofServer = z.object({ serverId: recordId });

const replacing = [
  ...changeProblems,
  'NOT_FOUND',
  ...savesObstacles,
  ...restoreObstacles,
  'PERSON_REQUIRED',
  'STEP_UP_REQUIRED',
  'SAVES_NAME_MISMATCH',
  'SAVES_BUSY',
  'IDEMPOTENCY_MISMATCH',
  'IDEMPOTENCY_KEY_INVALID',
  'SHUTTING_DOWN',
] as const;

export const savesHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/saves',
    summary:
      "List the backups of a game server's saves on its machine, and any backup or restore in progress",
    access: 'saves.read',
    params: ofServer,
    response: serverSaves,
  }),
  /**
   * Repeating a request with the same key by the same caller returns the act that the first one began. Programs may
   * take backups; everything else needs a person who has stepped up, which the handler checks.
   */
  act: endpoint({
    method: 'POST',
    path: '/api/servers/:serverId/saves',
    summary:
      "Back up a game server's saves, restore a backup, or undo or confirm a restore; everything but a backup requires a person who has stepped up",
    access: 'saves.write',
    idempotent: true,
    params: ofServer,
    body: saveRequest,
    response: saveAct,
    problems: replacing,
  }),
  /** It goes on without the caller. To cancel it, cancel the act that its step waits for. */
  run: endpoint({
    method: 'POST',
    path: '/api/servers/:serverId/saves/runs',
    summary:
      'Stop a game server if it runs, restore a backup or undo a restore, and start it again; requires a person who has stepped up',
    access: 'saves.write',
    proof: 'step-up',
    idempotent: true,
    params: ofServer,
    body: restoreRunRequest,
    response: restoreRun,
    problems: [...replacing, ...powerObstacles.filter((code) => code !== 'SERVER_ARCHIVED')],
  }),
  schedule: endpoint({
    method: 'PUT',
    path: '/api/servers/:serverId/saves/schedule',
    summary:
      "Set when a game server's saves are backed up and how many backups are kept, never fewer than its machine keeps; null ends it",
    access: 'saves.write',
    params: ofServer,
    body: z.strictObject({ version: rowVersion, schedule: savesSchedule.nullable() }),
    response: requestedSchedule,
    problems: [...changeProblems, 'NOT_FOUND', ...scheduleObstacles, 'CONFLICT'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/servers/:serverId/saves/:actId/cancellation',
    summary: 'Cancel a backup or restore; possible until the Game Agent swaps the worlds',
    access: 'saves.write',
    params: ofServer.extend({ actId: recordId }),
    response: saveAct,
    problems: [...changeProblems, 'NOT_FOUND', 'SAVES_NOT_CANCELLABLE'],
  }),
} as const;
