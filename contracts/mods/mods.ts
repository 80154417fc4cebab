import * as z from 'zod';
import {
  foundMod,
  healthWatch,
  inspectedMod,
  installedMod,
  modForm,
  modKey,
  modObstacles,
  modPart,
  modSource,
  modsChanged,
  modsList,
  sha1,
} from '../servers/agent-mods.ts';
import { taskOutcomes, taskProgress } from '../servers/agent-tasks.ts';
import { recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';

const time = z.iso.datetime();
const bytes = z.int().nonnegative();
const short = z.string().min(1).max(200);

/** Why nothing can be done with a server's mods now: the API's own reasons, and those of the agent. */
export const serverModsObstacles = [
  'SERVER_ARCHIVED',
  'MODS_AGENT_AWAY',
  'MODS_AGENT_TOO_OLD',
  ...modObstacles,
] as const;
export type ServerModsObstacle = (typeof serverModsObstacles)[number];

/** A version of a project that can be chosen. */
export const modVersion = z.object({
  /** The source's id. */
  id: z.string().max(100),
  name: z.string().max(200),
  channel: z.enum(['release', 'beta', 'alpha']),
  publishedAt: time,
  gameVersions: z.array(z.string()).max(500),
  loaders: z.array(z.string()).max(50),
  bytes: bytes.nullable(),
  /** Plain text or Markdown; null: there is none. */
  changelog: z.string().max(20_000).nullable(),
  /** Its author lets no program download it: a person has to, from `page`. */
  isByHand: z.boolean(),
  /** Where people download it; null: nowhere else. */
  page: z.url().nullable(),
});
export type ModVersion = z.infer<typeof modVersion>;

export const modProject = z
  .object({
    source: modSource,
    id: z.string().max(100),
    name: z.string().max(200),
    summary: z.string().max(2000),
    /** A picture on the source's own hosts. */
    iconUrl: z.url().nullable(),
    author: z.string().max(200).nullable(),
    license: z.string().max(200).nullable(),
    page: z.url().nullable(),
    downloads: z.int().nonnegative().nullable(),
    updatedAt: time.nullable(),
    /** `client`: it is not for servers. */
    side: z.enum(['client', 'server', 'both']).nullable(),
    form: modForm,
  })
  .meta({ id: 'ModProject' });
export type ModProject = z.infer<typeof modProject>;

/** Whether a source answers: `limited` and `away` are retried, and never mean that there is nothing. */
const modSourceStates = ['ok', 'limited', 'away', 'no-key', 'key-refused'] as const;
export const modSourceState = z.object({
  source: modSource,
  state: z.enum(modSourceStates),
  /** For `limited`: when it may be asked again. */
  againAt: time.nullable(),
  /** For `away`: what stands in the way, as `reasons` has it; absent when nothing more is known. */
  why: z.string().optional(),
});
export type ModSourceState = z.infer<typeof modSourceState>;

/** Paths of the archive's optional parts that are to be installed. */
const chosenParts = z.array(z.string().max(300)).max(50).optional();

export const changeWish = z.discriminatedUnion('do', [
  /** A null version: the newest that fits. */
  z.strictObject({
    do: z.literal('install'),
    source: z.enum(['modrinth', 'curseforge', 'steam']),
    project: z.string().min(1).max(100),
    version: z.string().max(100).nullable(),
  }),
  /** A file that a person uploaded; `for` is the project and version that it was downloaded for by hand. */
  z.strictObject({
    do: z.literal('install-upload'),
    upload: recordId,
    for: z.strictObject({ project: z.string().max(100), version: z.string().max(100) }).optional(),
    parts: chosenParts,
  }),
  z.strictObject({ do: z.literal('install-address'), url: z.url().max(2000), parts: chosenParts }),
  z.strictObject({ do: z.literal('update'), key: modKey, version: z.string().max(100).nullable() }),
  z.strictObject({ do: z.literal('update-all') }),
  z.strictObject({ do: z.literal('remove'), key: modKey }),
  /** Adopts a found file that a source knows, so that Castellan manages it. */
  z.strictObject({ do: z.literal('adopt'), path: z.string().max(500) }),
  /** Puts the mods of a set on the server; mods that are not in it stay unless `removeOthers`. */
  z.strictObject({ do: z.literal('set'), set: recordId, removeOthers: z.boolean() }),
  /** Undoes a job that ended as done. */
  z.strictObject({ do: z.literal('undo'), job: recordId }),
]);
export type ChangeWish = z.output<typeof changeWish>;

/** Why a plan cannot be carried out, or what to know before it is. */
export const planFaultCodes = [
  'NO_VERSION_FITS',
  'PROJECT_GONE',
  'DEPENDENCY_GONE',
  'DEPENDENCY_NO_VERSION',
  'CONFLICT',
  'SAME_FILE',
  'CLIENT_ONLY',
  'BY_HAND',
  'HASH_WRONG',
  'NOT_A_MOD',
  'WRONG_GAME',
  'PINNED',
  'STILL_NEEDED',
  'FILE_IN_THE_WAY',
  'NO_ROOM',
  'SOURCE_AWAY',
  'SOURCE_LIMITED',
  'SOURCE_NO_KEY',
  'SOURCE_KEY_REFUSED',
  'NOT_REHEARSED',
  /** For a later server of a rolling update: its first server has another version, or none. */
  'NOT_PROVEN',
  'OTHER_THAN_PROVEN',
  'FILE_GONE',
  /** The newest version for this server would go back, or the installed one is made for another: it stays unless it is chosen. */
  'OTHER_LINE',
  /** Files of an archive that are not installed. */
  'LEFT_OUT',
  /** An archive has further mods that can be chosen. */
  'PARTS',
] as const;
const planFault = z.object({
  code: z.enum(planFaultCodes),
  /** The plan cannot start until this is resolved; otherwise it is only a warning. */
  isBlocking: z.boolean(),
  /** The name of the mod concerned. */
  mod: z.string().max(200).nullable(),
  /** The other mod of a conflict, or the mod that needs it. */
  other: z.string().max(200).nullable(),
  detail: z.string().max(500).nullable(),
  /** Where a person downloads the file. */
  page: z.url().nullable(),
  /** For a file to download by hand. */
  fileName: z.string().max(200).nullable(),
  sha1: sha1.nullable(),
  /** For a file to download by hand: its project and version. */
  project: z.string().max(100).nullable(),
  version: z.string().max(100).nullable(),
  /** For an archive with parts: those that it has, and whether each is chosen. */
  parts: z
    .array(modPart.extend({ isChosen: z.boolean() }))
    .max(50)
    .optional(),
});
export type PlanFault = z.infer<typeof planFault>;

const planLine = z.object({
  change: z.enum(['add', 'update', 'remove', 'adopt']),
  key: modKey,
  source: modSource,
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** To download; 0: it has no file, or its size is unknown. */
  bytes,
  /** The mod that requires it; null: it was asked for. */
  neededBy: z.string().nullable(),
  changelog: z.string().max(20_000).nullable(),
});
export type PlanLine = z.infer<typeof planLine>;

const unneededMod = z.object({
  key: modKey,
  source: modSource,
  name: z.string(),
  versionName: z.string().nullable(),
});
export type UnneededMod = z.infer<typeof unneededMod>;

export const modsPlan = z
  .object({
    id: recordId,
    serverId: recordId,
    madeAt: time,
    /** Not carried out after this time. */
    expiresAt: time,
    lines: z.array(planLine),
    faults: z.array(planFault),
    downloadBytes: bytes,
    /** The game is running and must be stopped. */
    needsRestart: z.boolean(),
    /** Null: it can be tested on a copy. */
    rehearsalObstacle: z.string().nullable(),
    /** Mods that were installed for others and that none requires any more; they stay unless people choose to remove them. */
    unneeded: z.array(unneededMod),
  })
  .meta({ id: 'ModsPlan' });
export type ModsPlan = z.infer<typeof modsPlan>;

/**
 * - `waiting`: for the agent, for the queue, or for another job of the server
 * - `running`: the agent has it
 */
const modJobStates = ['waiting', 'running', 'done', 'failed', 'cancelled', 'unknown'] as const;
export const modWaits = ['agent', 'queue', 'job', 'license', 'wave'] as const;

export const modsJob = z
  .object({
    id: recordId,
    serverId: recordId,
    serverName: z.string(),
    lines: z.array(planLine),
    byName: z.string(),
    state: z.enum(modJobStates),
    waitsFor: z.enum(modWaits).nullable(),
    requestedAt: time,
    beganAt: time.nullable(),
    endedAt: time.nullable(),
    progress: taskProgress.nullable(),
    isCancelled: z.boolean(),
    outcome: z.enum(taskOutcomes).nullable(),
    detail: z.string().nullable(),
    /** What the agent proved; its lines are empty for callers who may not read the console. */
    result: modsChanged.nullable(),
    /** The set from before this job can be restored. */
    canUndo: z.boolean(),
    wave: recordId.nullable(),
  })
  .meta({ id: 'ModsJob' });
export type ModsJob = z.infer<typeof modsJob>;

export const modPin = z.object({
  reason: z.string().min(1).max(500),
  /** What would release the pin, for people. */
  until: z.string().max(500).nullable(),
  byName: z.string(),
  at: time,
});

export const serverMods = z
  .object({
    game: gameId,
    isAgentPresent: z.boolean(),
    obstacle: z.enum(serverModsObstacles).nullable(),
    obstacleDetail: z.string().nullable(),
    /** As the agent reported it at `at`; null: no agent has reported. */
    list: modsList
      .omit({ installed: true, found: true, obstacle: true, obstacleDetail: true })
      .extend({
        at: time,
        installed: z.array(
          installedMod.extend({
            pin: modPin.nullable(),
            /** Null: none is known. */
            update: z.object({ version: z.string(), name: z.string(), isByHand: z.boolean() }).nullable(),
            project: modProject.nullable(),
          }),
        ),
        found: z.array(
          foundMod.extend({
            /** Identified by its hash; null: no source knows it, or none was asked yet. */
            known: z.object({ project: modProject, version: z.string(), versionName: z.string() }).nullable(),
          }),
        ),
      })
      .nullable(),
    /** Null: no check for updates was made yet. */
    check: z.object({ at: time, nextAt: time.nullable(), faults: z.array(planFault) }).nullable(),
    /** The current or waiting job. */
    job: modsJob.nullable(),
    lastJob: modsJob.nullable(),
    /** Where players see which mods they need; null: it is not shared. */
    playerList: z
      .object({ url: z.string().meta({ description: "A path relative to the API's address" }) })
      .nullable(),
    defaultWatch: healthWatch,
  })
  .meta({ id: 'ServerMods' });
export type ServerMods = z.infer<typeof serverMods>;

export const modUpload = z
  .object({
    id: recordId,
    name: short,
    bytes,
    received: bytes,
    /** Null until the upload is complete. */
    sha1: sha1.nullable(),
    content: inspectedMod.shape.content.nullable(),
  })
  .meta({ id: 'ModUpload' });
export type ModUpload = z.infer<typeof modUpload>;
/** Bytes per part of an upload. */
export const modUploadPartBytes = 8 * 1024 * 1024;
export const largestModUpload = 2 * 1024 * 1024 * 1024;

const modSetItem = z.object({
  source: z.enum(['modrinth', 'curseforge', 'steam']),
  project: z.string().min(1).max(100),
  name: short,
  /** Null: the newest that fits each server. */
  version: z.string().max(100).nullable(),
  versionName: z.string().max(100).nullable(),
});
export const modSet = z
  .object({
    id: recordId,
    name: short,
    game: gameId,
    items: z.array(modSetItem).max(500),
    /** Sent back with a change; a different value means that someone else changed it first. */
    version: z.int(),
    changedAt: time,
    changedByName: z.string(),
  })
  .meta({ id: 'ModSet' });
export type ModSet = z.infer<typeof modSet>;
export const setDraft = z.strictObject({
  name: short,
  game: gameId,
  items: z.array(z.strictObject(modSetItem.shape)).max(500),
});

/** A rolling update: one server first, the others once it has stayed healthy. */
export const modWave = z
  .object({
    id: recordId,
    byName: z.string(),
    requestedAt: time,
    /** `stopped`: a server did not come up with its new set, and the others were left unchanged. */
    state: z.enum(['first', 'others', 'done', 'stopped', 'cancelled']),
    detail: z.string().nullable(),
    servers: z.array(
      z.object({
        serverId: recordId,
        name: z.string(),
        /** Null: there is nothing to do, or it was not started. */
        job: modsJob.nullable(),
        faults: z.array(planFault),
        /** What it waits for, or why it was not started; null: nothing is in its way. */
        detail: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ModWave' });
export type ModWave = z.infer<typeof modWave>;
