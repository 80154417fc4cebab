import type { SeasonState } from '#contracts/store/seasons.ts';
import { waitAtMost } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { StoreContext } from '../store-context.ts';
import { createGiveAgain, type GivingContext } from './give-again.ts';
import { resetLimits } from './reset-limits.ts';
import { takePoints } from './take-points.ts';

interface SeasonAtWork {
  readonly id: string;
  readonly state: SeasonState;
}

const retryMs = 1000;
/** Between checks for a season that another process left. */
const usualLookMs = 5000;
/** A season that ended longer ago is no news. */
const announcedWithinMs = 15 * 60_000;
const stopDeadlineMs = 3000;

/**
 * Carries out the stored steps one by one: a process that dies leaves the rest to the others. Deliveries to the servers of a
 * running season are held by the deliveries themselves.
 */
export const createSeasonRunner = (
  context: GivingContext &
    Pick<StoreContext, 'say' | 'servers' | 'licenseHolds'> & {
      readonly deliveries: Pick<Deliveries, 'wake' | 'sweep'>;
    },
  lookMs = usualLookMs,
) => {
  const { db, deliveries, say, servers, licenseHolds, log } = context;
  const giveAgain = createGiveAgain(context);
  const stopping = new AbortController();
  const { signal } = stopping;
  const regranted = new Set<string>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let again = false;
  /** A season was running at the last check, and what it held is waiting. */
  let wasAtWork = false;
  /** True at the start, for the previous process. */
  let mayAnnounce = true;

  const mayGoOn = () => !signal.aborted && licenseHolds();
  const atWork = (): Promise<SeasonAtWork | undefined> =>
    db
      .selectFrom('seasons')
      .select(['id', 'state'])
      .where('state', 'in', ['running', 'undoing'])
      .executeTakeFirst();

  /** @returns whether this call ended the season */
  const end = async ({ id, state }: SeasonAtWork): Promise<boolean> => {
    const isUndo = state === 'undoing';
    const now = new Date();
    const { numUpdatedRows } = await db
      .updateTable('seasons')
      .set(isUndo ? { state: 'undone', undone_at: now } : { state: 'done', ended_at: now })
      .where('id', '=', id)
      .where('state', '=', isUndo ? 'undoing' : 'running')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('season_steps')
              .select('id')
              .where('season_id', '=', id)
              .where('state', '=', isUndo ? 'done' : 'waiting'),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  };

  /** Announces a season that has just ended, at most once: a line lost with its process is not worth a second one in every chat. */
  const announceEnded = async (): Promise<void> => {
    const season = await db
      .updateTable('seasons')
      .set({ announced_at: new Date() })
      .where('announced_at', 'is', null)
      .where('state', '=', 'done')
      .where('ended_at', '>', new Date(Date.now() - announcedWithinMs))
      .returning(['game', 'scope_server_ids', 'announcement'])
      .executeTakeFirst();
    if (!season) return;
    const texts = Object.values(season.announcement).filter((text) => text !== '');
    const { scope_server_ids: scope } = season;
    const inScope = servers
      .all()
      .filter(({ id, game }) => game === season.game && (scope === null || scope.includes(id)));
    await Promise.all(
      inScope.map(async ({ id }) => {
        for (const text of texts)
          await say(id, text).catch((error: unknown) =>
            log.warn({ err: error, serverId: id }, 'could not announce a new season on a server'),
          );
      }),
    );
  };

  const release = () => {
    if (!wasAtWork) return;
    wasAtWork = false;
    deliveries.wake(regranted);
    regranted.clear();
    deliveries
      .sweep()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not process deliveries after a season; the next sweep will retry'),
      );
  };

  /** @returns whether more can be done now */
  const step = async (): Promise<boolean> => {
    const season = await atWork();
    if (!season) {
      release();
      if (mayAnnounce) await announceEnded();
      mayAnnounce = false;
      return false;
    }
    const { id, state } = season;
    wasAtWork = true;
    mayAnnounce = true;
    if (state === 'running') {
      if (await takePoints(db, id)) return true;
      await resetLimits(db, id);
    }
    const round = state === 'running' ? giveAgain.give : giveAgain.takeBack;
    const { steps, memberIds } = await round(id, mayGoOn);
    for (const memberId of memberIds) regranted.add(memberId);
    if (steps > 0 || (await end(season))) return true;
    // What is left rests until its next try, or another process has ended it.
    schedule(retryMs);
    return false;
  };

  const work = async (): Promise<void> => {
    do {
      again = false;
      while (mayGoOn() && (await step()));
      if (!licenseHolds()) schedule(retryMs);
    } while (again && !signal.aborted);
  };

  const start = () => {
    if (signal.aborted) return;
    running = work()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'a season is waiting for the database');
        else log.error({ err: error }, 'could not advance a season; will retry');
        schedule(retryMs);
      })
      .finally(() => {
        running = null;
        if (again) start();
      });
  };
  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(wake, afterMs).unref();
  };
  const wake = () => {
    if (running) again = true;
    else start();
  };

  return {
    /** Picks up a running season, now and whenever another process leaves one. Needs the schema; safe to call twice. */
    prepare(): void {
      looking ??= setInterval(wake, lookMs).unref();
      wake();
    },
    /** A season has begun, or is to be undone. */
    wake,
    /** Resolves when no season is running, or the rest waits for its next try. */
    async idle(): Promise<void> {
      while (running) await running;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      clearInterval(looking);
      await waitAtMost(stopDeadlineMs, running);
    },
  };
};
