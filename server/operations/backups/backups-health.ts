import type { ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import type { BackupChecks } from '#runtime/backup/check-backups.ts';
import type { BackupAttempt } from '#runtime/backup/keep-backups.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import { newestFullMs, type OwnBackup, tooOldMs } from './backup-times.ts';

const hourMs = 3_600_000;

/** In hours, then in days, as a person would say it. */
const ageInWords = (ms: number): string => {
  const hours = Math.max(0, Math.floor(ms / hourMs));
  if (hours < 1) return healthReasons['backup-fresh'];
  if (hours >= 48) return healthReasons['backup-days'](Math.floor(hours / 24));
  return hours === 1 ? healthReasons['backup-hour'] : healthReasons['backup-hours'](hours);
};

export interface CheckedBackup extends KeptBackup {
  readonly check: BackupChecks[string] | null;
  /** Its date lay ahead of now when it was first seen: it says nothing about its age, even once it has passed. */
  readonly isDatedAhead: boolean;
}

const isAheadOf = ({ takenAt }: KeptBackup, nowMs: number): boolean => isAhead(Date.parse(takenAt), nowMs);

/** Those that a person can rely on, and whose age is known. */
export const countedOf = (backups: readonly CheckedBackup[], nowMs: number): readonly CheckedBackup[] =>
  backups.filter((backup) => !backup.check?.fault && !backup.isDatedAhead && !isAheadOf(backup, nowMs));

/** Names the backups that are dated ahead of now; null: none is. */
const aheadInWords = (backups: readonly CheckedBackup[], nowMs: number): string | null => {
  const [first, ...others] = backups.filter((backup) => isAheadOf(backup, nowMs));
  if (first === undefined) return null;
  return others.length === 0
    ? healthReasons['backup-ahead'](first.name)
    : healthReasons['backups-ahead'](others.length + 1, first.name);
};

export const backupsHealthOf = (
  backups: readonly CheckedBackup[],
  attempt: BackupAttempt | null,
  nowMs: number,
  startedMs: number,
  own: OwnBackup | null = null,
): ComponentHealth => {
  const newestMs = newestFullMs(countedOf(backups, nowMs), nowMs, own);
  const age = newestMs === null ? healthReasons['backup-none'] : ageInWords(nowMs - newestMs);
  const ahead = aheadInWords(backups, nowMs);
  const degraded = (...words: readonly (string | null)[]): ComponentHealth => ({
    status: 'degraded',
    detail: words.filter((text) => text !== null).join(' '),
  });
  if (attempt?.outcome === 'failed')
    return degraded(healthReasons['backup-failed'](attempt.detail ?? ''), age, ahead);
  const damaged = backups.find(({ check }) => check?.fault);
  if (damaged?.check?.fault)
    return degraded(healthReasons['backup-damaged'](damaged.name, damaged.check.fault.file), age, ahead);
  const sinceMs = newestMs ?? startedMs;
  const isTooOld = nowMs - sinceMs > tooOldMs || isAhead(sinceMs, nowMs);
  return isTooOld || ahead !== null ? degraded(age, ahead) : { status: 'ok', detail: age };
};

/** What a person has to look after, from the health of the backups and of the database's files. */
export const waitingBackups = (health: ComponentHealth, integrity: ComponentHealth) => {
  const thing = (kind: 'backups' | 'damage', { status }: ComponentHealth) =>
    status === 'ok' ? [] : [{ kind, serverId: null, count: 1, since: null }];
  return [...thing('damage', integrity), ...thing('backups', health)];
};
