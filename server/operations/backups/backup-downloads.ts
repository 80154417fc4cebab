import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import { type BackupDownload, packedMinutes } from '#contracts/operations/backups.ts';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import { listBackups } from '#runtime/backup/backup-manifest.ts';
import { packBackup, packedSuffix } from '#runtime/backup/pack-backup.ts';
import { openDiskWorker } from '#runtime/disk-worker/disk-worker.ts';
import { NamedDownload } from '#runtime/http/download.ts';
import type { Log } from '#runtime/log.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** Each reads a whole backup and keeps a processor busy. */
const mostAtOnce = 2;
/** For a browser that has just been told where the file is. */
const waitMs = packedMinutes * 60_000;
/** A reader that takes nothing for so long has gone, or means to hold up others. */
const idleMs = 120_000;
const longestMs = 12 * 3_600_000;

export interface BackupDownloads extends AsyncDisposable {
  /** Begins to encrypt a backup, for the person who asked: from here on only the process that encrypts knows the passphrase. */
  prepare(name: string, passphrase: string, by: AuditContext): Promise<BackupDownload | Refusal>;
  /** The file, once. */
  fetch(id: string, by: AuditContext): Readable | Refusal;
}

type Outcome = 'finished' | 'broken-off' | 'not-fetched';

interface Packed {
  readonly fileName: string;
  /** Whose request it was: another session of the same person gets nothing. */
  readonly of: string;
  readonly content: Readable;
  /** Null while no one has fetched it. */
  readonly sent: Promise<void> | null;
  readonly end: (outcome: Outcome, bytes: number) => Promise<void>;
}

const callerOf = ({ actor }: AuditContext): string => `${actorReference(actor)} ${actor.sessionId ?? ''}`;

/** Backups as encrypted files for owners; each is in the audit log when it begins and when it ends. */
export const createBackupDownloads = (options: {
  readonly home: string;
  readonly db: Kysely<Tables>;
  readonly log: Log;
  /** The logarithm of scrypt's N; only tests choose another than the usual one. */
  readonly passphraseCost?: number | undefined;
}): BackupDownloads => {
  const { home, db, log } = options;
  const folder = backupsFolder(home);
  const packed = new Map<string, Packed>();
  let preparing = 0;

  const pack = async (name: string, passphrase: string, by: AuditContext): Promise<string | Refusal> => {
    const audit = (action: 'backups.download' | 'backups.download-end', after: object) =>
      recordAudit(db, { ...by, action, target: null, after: { backup: name, ...after } });
    await audit('backups.download', {});
    const path = join(folder, name);
    const content = openDiskWorker(path).stream(packBackup, path, passphrase, options.passphraseCost);
    const end = async (outcome: Outcome, bytes: number) => {
      content.destroy();
      await audit('backups.download-end', { outcome, bytes }).catch((error: Error) =>
        log.error({ err: error, backup: name, outcome, bytes }, 'could not record the end of a download'),
      );
    };
    try {
      await once(content, 'readable');
    } catch (error) {
      log.warn({ err: error, backup: name }, 'could not pack a backup');
      await end('broken-off', 0);
      return refuse('BACKUP_UNREADABLE', (error as Error).message);
    }
    const id = randomBytes(16).toString('hex');
    const fileName = `castellan-${name}${packedSuffix}`;
    packed.set(id, { fileName, of: callerOf(by), content, sent: null, end });
    setTimeout(() => void giveUp(id), waitMs).unref();
    content.once('error', (error) => {
      log.warn({ err: error, backup: name }, 'could not pack a backup');
      void giveUp(id);
    });
    return id;
  };

  const giveUp = async (id: string) => {
    const found = packed.get(id);
    if (found?.sent !== null) return;
    packed.delete(id);
    await found.end('not-fetched', 0);
  };

  const send = async (id: string, { content, end }: Packed, file: NamedDownload): Promise<void> => {
    const stop = (why: string) => () => file.destroy(new Error(why));
    const deadline = setTimeout(stop('The download took too long.'), longestMs).unref();
    const idle = setTimeout(stop('No one reads the download.'), idleMs).unref();
    file.onBytes = () => {
      idle.refresh();
    };
    const isWhole = await pipeline(content, file).then(
      () => file.readableEnded,
      () => false,
    );
    clearTimeout(deadline);
    clearTimeout(idle);
    packed.delete(id);
    await end(isWhole ? 'finished' : 'broken-off', file.bytes);
  };

  return {
    async prepare(name, passphrase, by) {
      if (!(await answers(folder))) return refuse('BACKUP_UNREADABLE', silentFolder(folder));
      if (!(await listBackups(folder)).some((backup) => backup.name === name)) return refuse('NOT_FOUND');
      // Asked again, perhaps with another passphrase: the first one will not be fetched.
      for (const [id, { of }] of packed) if (of === callerOf(by)) await giveUp(id);
      if (packed.size + preparing >= mostAtOnce) return refuse('BACKUP_DOWNLOADS_BUSY');
      preparing += 1;
      try {
        const id = await pack(name, passphrase, by);
        return typeof id === 'string' ? { id } : id;
      } finally {
        preparing -= 1;
      }
    },
    fetch(id, by) {
      const found = packed.get(id);
      if (found?.sent !== null || found.of !== callerOf(by)) return refuse('NOT_FOUND');
      const file = new NamedDownload(found.fileName);
      packed.set(id, { ...found, sent: send(id, found, file) });
      return file;
    },
    async [Symbol.asyncDispose]() {
      const ended = [...packed].map(([id, { content, sent }]) => {
        content.destroy();
        return sent ?? giveUp(id);
      });
      await Promise.all(ended);
    },
  };
};
