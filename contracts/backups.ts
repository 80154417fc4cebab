import * as z from 'zod';
import { endpoint } from './http.ts';

const time = z.iso.datetime();
const bytes = z.int().nonnegative();

/** Why a backup was taken. */
export const backupCause = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('nightly') }),
    /** `by`: a kind of actor, such as `admin`, and its name at that time. */
    z.object({ kind: z.literal('asked'), by: z.object({ kind: z.string(), name: z.string() }) }),
    z.object({ kind: z.literal('command'), command: z.string() }),
    z.object({ kind: z.literal('migration'), migrations: z.array(z.string()) }),
    z.object({ kind: z.literal('update'), version: z.string() }),
    z.object({ kind: z.literal('other'), text: z.string() }),
  ])
  .meta({ id: 'BackupCause' });
export type BackupCause = z.infer<typeof backupCause>;

export const backupsStatus = z
  .object({
    /** The newest first. */
    backups: z.array(
      z.object({
        name: z.string(),
        takenAt: time,
        /**
         * - `nightly`: by itself; deleted by itself
         * - `manual`: by a person; kept until a person deletes it
         * - `database`: before a change of the program, without the files of the home and not tried out
         */
        kind: z.enum(['nightly', 'manual', 'database']),
        /** The cause in English. */
        reason: z.string(),
        cause: backupCause,
        /** Null where that is not known without reading all of it. */
        bytes: bytes.nullable(),
      }),
    ),
    /** The outcome of the last one, wherever it was asked for; null when none was ever tried. */
    lastAttempt: z
      .object({
        at: time,
        outcome: z.enum(['taken', 'failed']),
        reason: z.string(),
        bytes: bytes.nullable(),
        /** Why it failed, in words. */
        detail: z.string().nullable(),
      })
      .nullable(),
    /** Since when one is being taken; null when none is. */
    runningSince: time.nullable(),
    /** When the next nightly one is due. */
    nextAt: time,
    /** Why none can be taken here, in words; null where they can. */
    obstacle: z.string().nullable(),
    /** Of the disk on which backups are kept. */
    freeBytes: bytes,
  })
  .meta({ id: 'BackupsStatus' });
export type BackupsStatus = z.infer<typeof backupsStatus>;

export const backupsHttp = {
  status: endpoint({
    method: 'GET',
    path: '/api/backups',
    summary: 'The backups of this installation, and what came of the last one',
    access: 'backups.read',
    response: backupsStatus,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/backups',
    summary: 'Begin a backup; one that is being taken goes on. Scripts use `castellan backup`',
    access: 'backups.write',
    // A leaked key must not fill the disk; scripts use `castellan backup`.
    proof: 'person',
    response: backupsStatus,
    problems: [
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'CROSS_ORIGIN',
      'BACKUP_IMPOSSIBLE',
      'DISK_FULL',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
