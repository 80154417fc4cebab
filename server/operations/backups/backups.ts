import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { BackupCause, BackupFault, BackupsStatus } from '#contracts/operations/backups.ts';
import type { ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { settingsSections } from '#contracts/operations/settings.ts';
import { demandAnswer, followAnswers, silentFolder } from '#runtime/answering-folder.ts';
import { causeText } from '#runtime/backup/backup-cause.ts';
import { type BackupKind, filesBeside, listBackups } from '#runtime/backup/backup-manifest.ts';
import { checkBackups, readBackupChecks } from '#runtime/backup/check-backups.ts';
import { isDatedAhead } from '#runtime/backup/dated-ahead.ts';
import {
  type BackupAttempt,
  backUpHome,
  damageAfter,
  deleteOutdated,
  readLastAttempt,
} from '#runtime/backup/keep-backups.ts';
import { clusterFolder } from '#runtime/backup/take-full-backup.ts';
import { isBeforeBuild } from '#runtime/build-date.ts';
import { sinceStartMs } from '#runtime/clock.ts';
import { diskSpaceOf, isDiskFull } from '#runtime/disk-space.ts';
import { openDiskWorker } from '#runtime/disk-worker/disk-worker.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import type { Log } from '#runtime/log.ts';
import { BackupUnderWayError, backupsFolder } from '#runtime/postgres/backup.ts';
import { findBackupFault } from '#runtime/postgres/backup-checksums.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import { shareReading } from '#runtime/shared-reading.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { clusterInReach } from '../../kernel/database/safety-backup.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';
import type { Settings } from '../settings.ts';
import { newestFullMs, nextBackupMs } from './backup-times.ts';
import { backupsHealthOf, type CheckedBackup, countedOf } from './backups-health.ts';
import { followDatedAhead } from './follow-dated-ahead.ts';

/** An hour from 0 to 23, by the machine's clock, and days. */
interface BackupSchedule {
  readonly nightlyHour: number;
  readonly daysKept: number;
}

export interface Backups extends AsyncDisposable {
  status(): Promise<BackupsStatus>;
  /** Starts one, unless one is being taken. @throws {Problem} when none can be taken */
  take(by: AuditContext): Promise<BackupsStatus>;
  health(): Promise<ComponentHealth>;
  /** Whether the last backup found the files of the database damaged. */
  integrity(): Promise<ComponentHealth>;
  /** From now on one is taken each night. */
  begin(): void;
}

interface Facts {
  readonly schedule: BackupSchedule;
  readonly isAnswering: boolean;
  readonly backups: readonly CheckedBackup[];
  readonly attempt: BackupAttempt | null;
}

const usualSchedule: BackupSchedule = {
  nightlyHour: settingsSections.backups.fields.nightlyHour.initial,
  daysKept: settingsSections.backups.fields.daysKept.initial,
};
const lookMs = 60_000;
const stopDeadlineMs = 3000;
const outOfReach = healthReasons['backup-out-of-reach'];

/** The backups of this installation: one each night, one when a person asks, and what is known about them. */
export const createBackups = (options: {
  readonly home: string;
  readonly programsFolder: string;
  readonly databaseUrl: Secret;
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
  readonly settings: Pick<Settings, 'values'>;
  /** Why the database cannot be used; null when it can. */
  readonly obstacle: () => string | null;
  readonly events: EventRecorder;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How far the clock is ahead of what is proven. */
  readonly unprovenMs: () => number;
  readonly license: () => Pick<LicenseStatus, 'code'>;
}): Backups => {
  const { home, pool, db, events, log, now } = options;
  const folder = backupsFolder(home);
  const startedMs = now();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: { readonly sinceMs: number; readonly ended: Promise<void> } | null = null;
  /** The time in the record of the last attempt; undefined: not read yet. */
  let writtenAt: string | null | undefined;
  /** The last failure here, and the record at that time: a full disk prevents writing one. */
  let own: { readonly attempt: BackupAttempt; overAt: typeof writtenAt } | null = null;
  let toldAt: string | null = null;
  let toldDamage: string | null = null;
  /** The last one that this process took, and when it began, since the machine started. */
  let taken: { readonly name: string; readonly beganMs: number } | null = null;
  const quickFaults = createQuickFaults(folder);
  const datedAhead = followDatedAhead({ home, log });
  /** Each look into a network drive that is gone would take one of the few threads for files, for ever. */
  const folderAnswers = followAnswers(folder);

  const lastAttempt = async (isAnswering?: boolean): Promise<BackupAttempt | null> => {
    if (!(isAnswering ?? (await folderAnswers()))) return own?.attempt ?? null;
    const written = await readLastAttempt(home);
    writtenAt = written?.at ?? null;
    if (own !== null && own.overAt === undefined) own.overAt = writtenAt;
    // A later one has another time, which need not be greater: the clock may have been set.
    return own !== null && own.overAt === writtenAt ? own.attempt : written;
  };

  /** Also for backups that were requested on the command line. */
  const tell = ({ outcome, path, reason, bytes, detail, damage }: BackupAttempt) => {
    if (damage !== null && damage.since !== toldDamage)
      events.record('database.damaged', { detail: damage.detail });
    toldDamage = damage?.since ?? null;
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

  /** A damaged backup is told before others are deleted, since it takes no other one's place. */
  const maintain = async (): Promise<void> => {
    await using worker = openDiskWorker(folder, { signal: stopping.signal });
    const before = await readBackupChecks(home);
    const checks = await worker.run(checkBackups, home);
    for (const [name, { fault }] of Object.entries(checks)) {
      if (fault === null || before[name]?.fault) continue;
      log.error({ backup: name, ...fault }, 'a stored backup is damaged');
      events.record('backup.damaged', { name, file: fault.file });
    }
    await worker.run(deleteOutdated, {
      home,
      nowMs: now(),
      days: (await knownSchedule()).daysKept,
      seenAhead: datedAhead.notes(),
    });
  };

  /** Whether this machine's clock is known to be behind: what then seems to lie ahead does not. */
  const isClockBehind = () => options.license().code === 'CLOCK_ROLLED_BACK' || isBeforeBuild(Date.now());

  let listed: readonly CheckedBackup[] = [];
  /** All backups with what is known to be wrong with them, newest first; while the folder does not answer, those of before. */
  const listChecked = async (isAnswering: boolean): Promise<readonly CheckedBackup[]> => {
    if (!isAnswering) return listed;
    const [backups, checks] = await Promise.all([listBackups(folder), readBackupChecks(home)]);
    const notes = await datedAhead.look(backups, now(), isClockBehind());
    listed = backups.map((backup) => ({
      ...backup,
      check: checks[backup.name] ?? null,
      isDatedAhead: isDatedAhead(backup, notes, now()),
    }));
    return listed;
  };

  let schedule = usualSchedule;
  /** While the database is away, the schedule that was read last; without it, no backup can be taken either. */
  const knownSchedule = async (): Promise<BackupSchedule> => {
    schedule = await options.settings.values('backups').catch(() => schedule);
    return schedule;
  };

  /** Asks the folder once: each question starts a program. */
  const readFacts = async (): Promise<Facts> => {
    const isAnswering = await folderAnswers();
    const [schedule, backups, attempt] = await Promise.all([
      knownSchedule(),
      listChecked(isAnswering),
      lastAttempt(isAnswering),
    ]);
    return { schedule, isAnswering, backups, attempt };
  };
  /** For health, which everyone asks. */
  const glance = shareReading(readFacts);

  const backUp = async (kind: BackupKind, cause: BackupCause): Promise<void> => {
    const reason = causeText(cause);
    // Next to the bundles; the sources have none, and then the next trial ends a killed one.
    const entry = join(options.programsFolder, 'guardian.mjs');
    using guardian = existsSync(entry)
      ? startGuardian(process.execPath, entry, () => log.warn('the guardian of a backup ended'))
      : null;
    const beganMs = sinceStartMs();
    try {
      await demandAnswer(folder);
      const { path, bytes } = await backUpHome({
        owner: 'castellan',
        home,
        files: filesBeside,
        databaseUrl: options.databaseUrl,
        folder,
        kind,
        cause,
        signal: stopping.signal,
        guardian: guardian ?? undefined,
      });
      own = null;
      taken = { name: basename(path), beganMs };
      log.info({ backup: path, bytes, reason }, 'backup taken');
      if (kind === 'nightly')
        await maintain().catch((error: unknown) =>
          log.error({ err: error }, 'could not check the backups and delete outdated ones'),
        );
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (error instanceof BackupUnderWayError) return log.info({ reason }, error.message);
      const at = new Date(now()).toISOString();
      const detail = (error as Error).message;
      const damage = await damageAfter(home, error, at);
      await lastAttempt();
      own = {
        attempt: { at, outcome: 'failed', path: null, reason, bytes: null, detail, damage },
        overAt: writtenAt,
      };
      log.error({ err: error, reason, isDiskFull: isDiskFull(error) }, 'backup failed');
    }
    glance.forget();
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

  const ownBackup = () =>
    taken && {
      name: taken.name,
      agoMs: sinceStartMs() - taken.beganMs,
      unprovenMs: options.unprovenMs(),
    };

  const dueMs = ({ schedule, backups, attempt }: Facts) => {
    const nowMs = now();
    return nextBackupMs({
      hour: schedule.nightlyHour,
      nowMs,
      startedMs,
      newestMs: newestFullMs(countedOf(backups, nowMs), nowMs, ownBackup()),
      failedMs: attempt?.outcome === 'failed' ? Date.parse(attempt.at) : null,
    });
  };

  const tick = async () => {
    try {
      await look();
      if (dueMs(await readFacts()) <= now())
        await begin('nightly', { kind: 'nightly' }, async () => (await impossible()) === null);
    } catch (error) {
      log.error({ err: error }, 'could not maintain the backups');
    }
    if (!stopping.signal.aborted) timer = setTimeout(() => void tick(), lookMs);
  };

  const status = async (): Promise<BackupsStatus> => {
    const facts = await readFacts();
    const { backups, attempt } = facts;
    const isSilent = !facts.isAnswering;
    const space = isSilent ? { freeBytes: 0 } : await diskSpaceOf(folder);
    return {
      backups: await Promise.all(
        backups.map(async ({ isListed, check, ...backup }) => ({
          ...backup,
          hasChecksums: isListed,
          checkedAt: check?.at ?? null,
          fault: check?.fault ?? (isListed && !isSilent ? await quickFaults(backup.name) : null),
        })),
      ),
      lastAttempt: attempt,
      runningSince: running && new Date(running.sinceMs).toISOString(),
      nextAt: new Date(dueMs(facts)).toISOString(),
      obstacle: isSilent
        ? silentFolder(folder)
        : await impossible().catch(() => healthReasons['database-silent']),
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
    async health() {
      const { isAnswering, backups, attempt } = await glance.now();
      if (!isAnswering) return { status: 'degraded', detail: silentFolder(folder) };
      return backupsHealthOf(backups, attempt, now(), startedMs, ownBackup());
    },
    async integrity() {
      const damage = (await glance.now()).attempt?.damage ?? null;
      return damage === null ? { status: 'ok', detail: null } : { status: 'degraded', detail: damage.detail };
    },
    begin() {
      void lastAttempt().then((attempt) => {
        // What was tried before this start was reported before it.
        toldAt = attempt?.at ?? null;
        toldDamage = attempt?.damage?.since ?? null;
        return tick();
      });
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      // Its guardian ends a trial that takes longer.
      await waitAtMost(
        stopDeadlineMs,
        running?.ended.catch(() => 'logged'),
      );
    },
  };
};

const quickFaultsMs = 300_000;

/** Whether files of a backup are missing or have another size; remembered for a while, since panels ask often. */
const createQuickFaults = (folder: string) => {
  /** `atMs` on a monotonic clock. */
  const known = new Map<string, { readonly atMs: number; readonly fault: Promise<BackupFault | null> }>();
  return (name: string): Promise<BackupFault | null> => {
    const last = known.get(name);
    if (last !== undefined && performance.now() - last.atMs < quickFaultsMs) return last.fault;
    const fault = findBackupFault(join(folder, name), { extent: 'sizes', isListed: true });
    const look = { atMs: performance.now(), fault };
    known.set(name, look);
    // A look that failed says nothing of the backup.
    fault.catch(() => known.get(name) === look && known.delete(name));
    return fault;
  };
};
