import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { BackupCause, BackupsStatus } from '#contracts/backups.ts';
import type { ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import { causeText } from '#runtime/backup/backup-cause.ts';
import { type BackupKind, listBackups } from '#runtime/backup/backup-manifest.ts';
import {
  type BackupAttempt,
  backUpHome,
  deleteOutdated,
  readLastAttempt,
} from '#runtime/backup/keep-backups.ts';
import { clusterFolder } from '#runtime/backup/take-full-backup.ts';
import { diskSpaceOf, isDiskFull } from '#runtime/disk-space.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { recordFileName } from '#runtime/license/record/record-store.ts';
import type { Log } from '#runtime/log.ts';
import { BackupUnderWayError, backupsFolder } from '#runtime/postgres/backup.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { clusterInReach } from '../database/safety-backup.ts';
import type { Tables } from '../database/tables.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { newestFullMs, nextBackupMs, tooOldMs } from './backup-times.ts';

export interface BackupsOptions {
  readonly home: string;
  readonly programsFolder: string;
  readonly databaseUrl: Secret;
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
  /** Why the database cannot be used; null when it can. */
  readonly obstacle: () => string | null;
  readonly events: EventRecorder;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Backups extends AsyncDisposable {
  status(): Promise<BackupsStatus>;
  /** Starts one, unless one is being taken. @throws {Problem} when none can be taken */
  take(by: AuditContext): Promise<BackupsStatus>;
  health(): Promise<ComponentHealth>;
  /** From now on one is taken each night. */
  begin(): void;
}

const lookMs = 60_000;
const stopDeadlineMs = 3000;
const outOfReach = healthReasons['backup-out-of-reach'];

/** The backups of this installation: one each night, one when a person asks, and what is known about them. */
export const createBackups = (options: BackupsOptions): Backups => {
  const { home, pool, db, events, log, now } = options;
  const folder = backupsFolder(home);
  const startedMs = now();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: { readonly sinceMs: number; readonly ended: Promise<void> } | null = null;
  /** Kept here if a full disk prevented writing it. */
  let own: BackupAttempt | null = null;
  let toldAt: string | null = null;

  const lastAttempt = async (): Promise<BackupAttempt | null> => {
    const written = await readLastAttempt(home);
    return own !== null && (written === null || written.at < own.at) ? own : written;
  };

  /** Also for backups that were requested on the command line. */
  const tell = ({ outcome, path, reason, bytes, detail }: BackupAttempt) => {
    if (outcome === 'taken') events.record('backup.taken', { name: path ?? '', reason, bytes });
    else events.record('backup.failed', { reason, detail: detail ?? '' });
  };

  const impossible = async (): Promise<string | null> => {
    if (options.obstacle() !== null) return options.obstacle();
    const isInReach = await clusterInReach(
      pool as unknown as pg.ClientBase,
      join(clusterFolder(home), 'data'),
    );
    return isInReach === null ? outOfReach : null;
  };

  const backUp = async (kind: BackupKind, cause: BackupCause): Promise<void> => {
    const reason = causeText(cause);
    // Next to the bundles; the sources have none, and then the next trial ends a killed one.
    const entry = join(options.programsFolder, 'guardian.mjs');
    using guardian = existsSync(entry)
      ? startGuardian(process.execPath, entry, () => log.warn('the guardian of a backup ended'))
      : null;
    try {
      const { path, bytes } = await backUpHome({
        owner: 'castellan',
        home,
        files: ['.env', recordFileName],
        databaseUrl: options.databaseUrl,
        folder,
        kind,
        cause,
        signal: stopping.signal,
        guardian: guardian ?? undefined,
      });
      own = null;
      log.info({ backup: path, bytes, reason }, 'backup taken');
      if (kind === 'nightly')
        await deleteOutdated(home).catch((error: unknown) =>
          log.error({ err: error }, 'could not delete outdated backups'),
        );
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (error instanceof BackupUnderWayError) return log.info({ reason }, error.message);
      const at = new Date(now()).toISOString();
      const detail = (error as Error).message;
      own = { at, outcome: 'failed', path: null, reason, bytes: null, detail };
      log.error({ err: error, reason, isDiskFull: isDiskFull(error) }, 'backup failed');
    }
    await look();
  };

  /**
   * Starts one, unless one is running; from the first question on no other one can start.
   * @param isWanted asked before it starts; what it throws is thrown
   */
  const begin = async (
    kind: BackupKind,
    cause: BackupCause,
    isWanted: () => Promise<boolean>,
  ): Promise<void> => {
    if (running !== null) return;
    const end = () => {
      running = null;
    };
    running = { sinceMs: now(), ended: Promise.resolve() };
    try {
      if (!(await isWanted())) return end();
    } catch (error) {
      end();
      throw error;
    }
    const ended = backUp(kind, cause).finally(end);
    ended.catch((error: unknown) => log.error({ err: error }, 'could not maintain the backups'));
    running = { sinceMs: now(), ended };
  };

  /** Records the event of an attempt that has none yet. */
  const look = async () => {
    const attempt = await lastAttempt();
    if (attempt === null || attempt.at === toldAt) return;
    toldAt = attempt.at;
    tell(attempt);
  };

  const dueMs = async () => {
    const attempt = await lastAttempt();
    return nextBackupMs({
      nowMs: now(),
      startedMs,
      newestMs: newestFullMs(await listBackups(folder)),
      failedMs: attempt?.outcome === 'failed' ? Date.parse(attempt.at) : null,
    });
  };

  const tick = async () => {
    try {
      await look();
      if ((await dueMs()) <= now())
        await begin('nightly', { kind: 'nightly' }, async () => (await impossible()) === null);
    } catch (error) {
      log.error({ err: error }, 'could not maintain the backups');
    }
    if (!stopping.signal.aborted) timer = setTimeout(() => void tick(), lookMs);
  };

  const status = async (): Promise<BackupsStatus> => {
    const [backups, attempt, space] = await Promise.all([
      listBackups(folder),
      lastAttempt(),
      diskSpaceOf(folder),
    ]);
    return {
      backups,
      lastAttempt: attempt,
      runningSince: running && new Date(running.sinceMs).toISOString(),
      nextAt: new Date(await dueMs()).toISOString(),
      obstacle: await impossible().catch(() => healthReasons['database-silent']),
      freeBytes: space.freeBytes,
    };
  };

  return {
    status,
    async take({ actor, address }) {
      await begin('manual', { kind: 'asked', by: { kind: actor.kind, name: actor.name } }, async () => {
        const detail = await impossible();
        if (options.obstacle() !== null)
          throw new Problem('DATABASE_UNAVAILABLE', {
            detail: detail ?? healthReasons['database-preparing'],
          });
        if (detail !== null) throw new Problem('BACKUP_IMPOSSIBLE', { detail });
        await recordAudit(db, { actor, address, action: 'backups.take', target: null });
        return true;
      });
      return status();
    },
    health: async () => backupsHealthOf(await listBackups(folder), await lastAttempt(), now(), startedMs),
    begin() {
      void readLastAttempt(home).then((attempt) => {
        // What was tried before this start was reported before it.
        toldAt = attempt?.at ?? null;
        return tick();
      });
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      // Its guardian ends a trial that takes longer.
      await Promise.race([
        running?.ended.catch(() => 'logged'),
        delay(stopDeadlineMs, undefined, { ref: false }),
      ]);
    },
  };
};

const hourMs = 3_600_000;

/** In hours, then in days, as a person would say it. */
const ageInWords = (ms: number): string => {
  const hours = Math.max(0, Math.floor(ms / hourMs));
  if (hours < 1) return healthReasons['backup-fresh'];
  if (hours >= 48) return healthReasons['backup-days'](Math.floor(hours / 24));
  return hours === 1 ? healthReasons['backup-hour'] : healthReasons['backup-hours'](hours);
};

export const backupsHealthOf = (
  backups: Parameters<typeof newestFullMs>[0],
  attempt: BackupAttempt | null,
  nowMs: number,
  startedMs: number,
): ComponentHealth => {
  const newestMs = newestFullMs(backups);
  const age = newestMs === null ? healthReasons['backup-none'] : ageInWords(nowMs - newestMs);
  if (attempt?.outcome === 'failed')
    return { status: 'degraded', detail: `${healthReasons['backup-failed'](attempt.detail ?? '')} ${age}` };
  const sinceMs = newestMs ?? startedMs;
  const isTooOld = nowMs - sinceMs > tooOldMs;
  return { status: isTooOld ? 'degraded' : 'ok', detail: age };
};
