import type { ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import type { BackupChecks } from '#runtime/backup/check-backups.ts';
import type { BackupAttempt } from '#runtime/backup/keep-backups.ts';
import { newestFullMs, tooOldMs } from './backup-times.ts';

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
}

export const soundOf = (backups: readonly CheckedBackup[]): readonly CheckedBackup[] =>
  backups.filter(({ check }) => !check?.fault);

export const backupsHealthOf = (
  backups: readonly CheckedBackup[],
  attempt: BackupAttempt | null,
  nowMs: number,
  startedMs: number,
): ComponentHealth => {
  const newestMs = newestFullMs(soundOf(backups));
  const age = newestMs === null ? healthReasons['backup-none'] : ageInWords(nowMs - newestMs);
  if (attempt?.outcome === 'failed')
    return { status: 'degraded', detail: `${healthReasons['backup-failed'](attempt.detail ?? '')} ${age}` };
  const sinceMs = newestMs ?? startedMs;
  const damaged = backups.find(({ check }) => check?.fault);
  if (damaged?.check?.fault)
    return {
      status: 'degraded',
      detail: `${healthReasons['backup-damaged'](damaged.name, damaged.check.fault.file)} ${age}`,
    };
  const isTooOld = nowMs - sinceMs > tooOldMs;
  return { status: isTooOld ? 'degraded' : 'ok', detail: age };
};

/** What a person has to look after, from the health of the backups and of the database's files. */
export const waitingBackups = (health: ComponentHealth, integrity: ComponentHealth) => {
  const thing = (kind: 'backups' | 'damage', { status }: ComponentHealth) =>
    status === 'ok' ? [] : [{ kind, serverId: null, count: 1, since: null }];
  return [...thing('damage', integrity), ...thing('backups', health)];
};
