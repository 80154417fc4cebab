import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { newPassword } from '../kernel/person-name.ts';

/** As many days as have always kept a nightly backup: a panel in the wrong hands cannot shorten what can be restored. */
export const leastDaysKept = 7;

const time = z.iso.datetime();
const bytes = z.int().nonnegative();

/** Why a backup was taken. */
export const backupCause = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('nightly') }),
    /** `by`: a kind of actor, such as `admin`, and its name at the time. */
    z.object({ kind: z.literal('asked'), by: z.object({ kind: z.string(), name: z.string() }) }),
    z.object({ kind: z.literal('command'), command: z.string() }),
    z.object({ kind: z.literal('migration'), migrations: z.array(z.string()) }),
    z.object({ kind: z.literal('update'), version: z.string() }),
    z.object({ kind: z.literal('other'), text: z.string() }),
  ])
  .meta({ id: 'BackupCause' });
export type BackupCause = z.infer<typeof backupCause>;

/**
 * How a backup differs from its list of checksums:
 * - `changed`: the file has changed since the backup was taken
 * - `missing`: the file is gone
 * - `extra`: the file is no part of the backup
 * - `unreadable`: the disk or the system refuses to read the file
 * - `newer`: a newer version made the list
 */
export const backupFault = z
  .object({
    code: z.enum(['changed', 'missing', 'extra', 'unreadable', 'newer']),
    /** Path in the backup. */
    file: z.string(),
  })
  .meta({ id: 'BackupFault' });
export type BackupFault = z.infer<typeof backupFault>;

export const backupsStatus = z
  .object({
    /** Newest first. */
    backups: z.array(
      z.object({
        name: z.string(),
        takenAt: time,
        /**
         * `takenAt` lies ahead of now, or did when this backup was first seen, so its age is not known: it does not count as the
         * newest one, and the nightly clean-up neither counts nor deletes it.
         */
        isDatedAhead: z.boolean(),
        /**
         * - `nightly`: taken and deleted automatically
         * - `manual`: taken by a person; kept until a person deletes it
         * - `database`: taken before a change of the program's version, without the files of the data folder and without a test
         *   restore
         */
        kind: z.enum(['nightly', 'manual', 'database']),
        /** The cause in English. */
        reason: z.string(),
        cause: backupCause,
        /** Null if it is unknown without reading the whole backup. */
        bytes: bytes.nullable(),
        /** The version of Castellan that took it; null if it does not say. */
        version: z.string().nullable(),
        /** Whether it has checksums; backups of earlier versions have none. */
        hasChecksums: z.boolean(),
        /** When all of it was last read and compared with its checksums; null: not yet. */
        checkedAt: time.nullable(),
        /** Null if nothing is known to be wrong with it. */
        fault: backupFault.nullable(),
      }),
    ),
    /** The outcome of the last attempt, scheduled or requested; null if none was ever made. */
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
    /** When the current backup began; null if none is being taken. */
    runningSince: time.nullable(),
    /** When the next nightly one is due. */
    nextAt: time,
    /** Why no backup can be taken here, in words; null if one can. */
    obstacle: z.string().nullable(),
    /** Free space on the disk that holds the backups. */
    freeBytes: bytes,
  })
  .meta({ id: 'BackupsStatus' });
export type BackupsStatus = z.infer<typeof backupsStatus>;

/** How long a download waits for the browser that asked for it. */
export const packedMinutes = 2;

const backupDownload = z
  .object({
    /** Valid once, for the session that asked. */
    id: z.string(),
  })
  .meta({ id: 'BackupDownload' });
export type BackupDownload = z.infer<typeof backupDownload>;

export const backupsHttp = {
  status: endpoint({
    method: 'GET',
    path: '/api/backups',
    summary: 'List the backups of this installation, with the result of the last attempt',
    access: 'backups.read',
    response: backupsStatus,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/backups',
    summary: 'Start a backup; one already running continues. Scripts use `castellan backup`',
    access: 'backups.write',
    // So that a leaked key cannot fill the disk; scripts use `castellan backup`.
    proof: 'person',
    response: backupsStatus,
    problems: [...changeProblems, 'BACKUP_IMPOSSIBLE', 'DISK_FULL'],
  }),
  prepareDownload: endpoint({
    method: 'POST',
    path: '/api/backups/:name/downloads',
    summary:
      'Encrypt a backup with a passphrase and prepare its download; fetch it within two minutes. No one can restore the file without the passphrase',
    access: 'owner',
    proof: 'step-up',
    params: z.object({ name: z.string().min(1).max(200) }),
    body: z.strictObject({ passphrase: newPassword }),
    response: backupDownload,
    problems: [...changeProblems, 'NOT_FOUND', 'BACKUP_UNREADABLE', 'BACKUP_DOWNLOADS_BUSY'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/backups/downloads/:id',
    summary: 'Download a prepared backup, once: a tar that age has encrypted with the passphrase',
    access: 'owner',
    proof: 'person',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }),
    response: z.unknown(),
    download: 'castellan-backup.tar.age',
    contentType: 'application/octet-stream',
  }),
} as const;
