import { setTimeout as delay } from 'node:timers/promises';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { DiskFullError, isDiskFull } from '#runtime/disk-space.ts';
import type { Log } from '#runtime/log.ts';
import { databaseFaultInWords } from './database-fault.ts';

interface BringUp extends AsyncDisposable {
  /** Why the database cannot be used yet, in words; null once the schema is in place and the queues run. */
  obstacle(): string | null;
  /** Starts in the background, once. */
  begin(steps: BringUpSteps): void;
}

interface BringUpSteps {
  /** Fails while the database cannot be reached; retried for as long as it takes. */
  readonly reach: () => Promise<void>;
  /** Migrates, starts the queues; undoes everything it has begun when it fails. */
  readonly prepare: () => Promise<void>;
}

/** The database may come back any moment, so it is tried often; haste does not fix a failure of our own. */
export const retryDelayMs = (attempt: number, away: boolean): number =>
  away ? backOffDelay({ firstMs: 100, mostMs: 2000 }, attempt + 1) : 60_000;

/** If there is no room for the backup before a migration, that error itself says which disk it is. */
const obstacleInWords = (error: unknown): string => {
  if (error instanceof DiskFullError) return error.message;
  return databaseFaultInWords(isDiskFull(error) ? { code: '53100' } : error);
};

/** Class 58 is the system's own fault under Postgres, such as a file that a dying postmaster has removed. */
const hasLeft = (error: unknown): boolean =>
  isDatabaseAway(error) || /^58/.test(String((error as { code?: unknown }).code));

/** Prepares the database in the background: the API listens long before, and health says what it waits for. */
export const createBringUp = (log: Log): BringUp => {
  let obstacle: string | null = healthReasons['database-unreached'];
  const stopping = new AbortController();

  const attempt = async ({ reach, prepare }: BringUpSteps): Promise<{ away: boolean } | null> => {
    try {
      await reach();
    } catch (error) {
      obstacle = databaseFaultInWords(error);
      return { away: true };
    }
    try {
      obstacle = healthReasons['database-preparing'];
      await prepare();
      obstacle = null;
      return null;
    } catch (error) {
      const away = hasLeft(error) || (!isDiskFull(error) && (await cannotBeReached(reach)));
      obstacle =
        away || isDiskFull(error)
          ? obstacleInWords(error)
          : healthReasons['database-unprepared']((error as Error).message);
      log.error({ err: error }, 'could not prepare the database');
      // There may be room again any moment, too, and trying costs nothing: no backup is started without it.
      return { away: away || isDiskFull(error) };
    }
  };

  /** A lost connection causes errors of every kind, including some from our own code, such as missing files of a backup. */
  const cannotBeReached = (reach: BringUpSteps['reach']) =>
    reach().then(
      () => false,
      () => true,
    );

  const loop = async (steps: BringUpSteps) => {
    for (let tries = 0; !stopping.signal.aborted; tries += 1) {
      const failure = await attempt(steps);
      if (!failure) return;
      await delay(retryDelayMs(tries, failure.away), undefined, {
        signal: stopping.signal,
        ref: false,
      }).catch(() => undefined);
    }
  };
  let ended: Promise<void> | null = null;

  return {
    obstacle: () => obstacle,
    begin(steps) {
      ended ??= loop(steps);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
};
