import type { SavesBackup } from '#contracts/servers/saves.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import type { SavesList } from '../../kernel/database/stored-values.ts';

/** What was known before a list, and what has been reported. */
interface KnownList {
  readonly list: Pick<SavesList, 'backups' | 'nightly'>;
  readonly told_until: Date | null;
  readonly nightly_failure_at: Date | null;
}

interface ListEvents {
  /** Oldest first. */
  readonly made: readonly SavesBackup[];
  readonly nightlyFailure: { readonly at: Date; readonly detail: string } | null;
  readonly told: Omit<KnownList, 'list'>;
}

/** A list that reports more at a time is not believed. */
const mostTold = 10;

/**
 * What has happened since the previous list. A server's first list reports only a failed nightly backup. A backup is
 * reported once, even if its folder disappears for a while, as on an unmounted disk.
 */
export const listEvents = (before: KnownList | null, list: SavesList, now: Date): ListEvents => {
  const untilMs = before?.told_until?.getTime() ?? 0;
  const known = new Set(before?.list.backups.map(({ name }) => name));
  const fresh = list.backups.filter(({ name, takenAt }) => !known.has(name) && Date.parse(takenAt) > untilMs);
  const newestMs = Math.max(0, ...list.backups.map(({ takenAt }) => Date.parse(takenAt)));
  // A clock that was ahead must not silence later backups once it is right.
  const toldMs = Math.max(untilMs, Math.min(newestMs, now.getTime()));
  const last = list.nightly?.last ?? null;
  const saidMs = last && !last.isTaken ? Date.parse(last.at) : null;
  const knownAt = before?.nightly_failure_at ?? null;
  const isFailureNew =
    saidMs !== null && saidMs !== knownAt?.getTime() && last?.at !== before?.list.nightly?.last?.at;
  // Told by a clock that is ahead, it would outlast all backups that follow.
  const failedAt = isFailureNew ? new Date(isAhead(saidMs, now.getTime()) ? now : saidMs) : null;
  return {
    made: before ? fresh.slice(0, mostTold).reverse() : [],
    nightlyFailure: failedAt && { at: failedAt, detail: last?.detail ?? '' },
    told: {
      told_until: toldMs === 0 ? null : new Date(toldMs),
      nightly_failure_at: failedAt ?? knownAt,
    },
  };
};
