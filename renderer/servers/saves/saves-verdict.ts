import type { InWords } from '#contracts/kernel/words.ts';
import type { SaveAction, ServerSaves } from '#contracts/servers/saves.ts';
import type { Tone } from '../../kit/design/state-label.tsx';
import type { savesWords } from './saves.words.ts';

type Verdicts = InWords<(typeof savesWords)['en']>['verdicts'];

type SavesVerdict =
  | { readonly tone: Tone; readonly says: keyof Verdicts }
  /** The act that was requested last did not succeed. */
  | { readonly tone: 'bad'; readonly failed: SaveAction };

const overdueMs = 2 * 24 * 60 * 60 * 1000;

/** The state of a server's saves, in one sentence; an act in progress takes precedence. */
export const savesVerdict = (
  { list, lastAct, isAgentPresent }: Pick<ServerSaves, 'list' | 'lastAct' | 'isAgentPresent'>,
  nowMs: number,
): SavesVerdict => {
  if (list?.unconfirmed != null) return { tone: 'warn', says: 'waits' };
  const newestMs = Date.parse(list?.backups.find((backup) => !backup.isDatedAhead)?.takenAt ?? '') || 0;
  const isAfterNewest = (at: string | null | undefined) => at != null && Date.parse(at) > newestMs;
  const hasFailed = lastAct?.outcome != null && !['done', 'cancelled'].includes(lastAct.outcome);
  if (lastAct && hasFailed && isAfterNewest(lastAct.endedAt)) return { tone: 'bad', failed: lastAct.action };
  if (!list) return { tone: 'idle', says: 'unknown' };
  const night = list.nightly?.last;
  if (night && !night.isTaken && isAfterNewest(night.at)) return { tone: 'bad', says: 'nightlyFailed' };
  if (list.backups.length === 0) return { tone: 'idle', says: 'none' };
  if (list.nightly && nowMs - newestMs > overdueMs && newestMs > 0) return { tone: 'warn', says: 'overdue' };
  const isAhead = list.backups.some(
    ({ isDatedAhead, takenAt }) => isDatedAhead && Date.parse(takenAt) > nowMs,
  );
  if (isAhead || newestMs === 0) return { tone: 'warn', says: 'datedAhead' };
  // The report of an agent that is away may be outdated.
  return { tone: isAgentPresent ? 'ok' : 'idle', says: 'backedUp' };
};
