import { setTimeout as delay } from 'node:timers/promises';
import type { GameId } from '#contracts/games.ts';
import type { SeasonState } from '#contracts/seasons.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { createGiveAgain, type GiveAgainOptions } from './give-again.ts';
import { resetLimits } from './reset-limits.ts';
import { takePoints } from './take-points.ts';

/** Servers that get no deliveries while their season is carried out. */
export interface HeldServers {
  readonly game: GameId;
  /** Null: every server of the game. */
  readonly serverIds: readonly string[] | null;
}

export interface SeasonRunnerOptions extends GiveAgainOptions {
  readonly deliveries: {
    /** Null: none are held any more. */
    hold(held: HeldServers | null): void;
    /** Looks for work for these members. */
    wake(memberIds: Iterable<string>): void;
    sweep(): Promise<void>;
  };
  /** Says a line in the chat of a game. */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  readonly servers: { all(): readonly { readonly id: string; readonly game: GameId }[] };
  readonly licenseHolds: () => boolean;
}

/** Carries out what is written down, step by step: a process that dies leaves the rest to the next one. */
export interface SeasonRunner extends AsyncDisposable {
  /** Holds the deliveries of a season at work. Needs the schema; before deliveries go out. */
  prepare(): Promise<void>;
  /** Holds the deliveries of a season that is to be undone, until the next wake finds that it is not. */
  holdOf(seasonId: string): Promise<void>;
  /** A season has begun, or is to be undone. */
  wake(): void;
  /** Resolves when nothing is at work, or what is left waits for its next try. */
  idle(): Promise<void>;
}

interface SeasonAtWork {
  readonly id: string;
  readonly game: GameId;
  readonly scope_server_ids: readonly string[] | null;
  readonly state: SeasonState;
}

const retryMs = 1000;
/** A season that ended longer ago is no news. */
const announcedWithinMs = 15 * 60_000;
const stopDeadlineMs = 3000;

export const createSeasonRunner = (options: SeasonRunnerOptions): SeasonRunner => {
  const { db, deliveries, say, servers, licenseHolds, log } = options;
  const giveAgain = createGiveAgain(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  const regranted = new Set<string>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  let isHolding = false;

  const seasonsAsHeld = () => db.selectFrom('seasons').select(['id', 'game', 'scope_server_ids', 'state']);
  const atWork = (): Promise<SeasonAtWork | undefined> =>
    seasonsAsHeld().where('state', 'in', ['running', 'undoing']).executeTakeFirst();

  /** @returns whether the season has ended by this */
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

  /**
   * Announces a season that has ended just now. Once at most: a line that was lost with its process is not worth a second
   * one in every chat.
   */
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
            log.warn({ err: error, serverId: id }, 'a new season could not be announced on a server'),
          );
      }),
    );
  };

  const hold = ({ game, scope_server_ids: serverIds }: SeasonAtWork) => {
    isHolding = true;
    deliveries.hold({ game, serverIds });
  };
  const release = () => {
    if (!isHolding) return;
    isHolding = false;
    deliveries.hold(null);
    deliveries.wake(regranted);
    regranted.clear();
    deliveries
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'the next sweep moves what a season held'));
  };

  /** @returns whether there is more that can be done now */
  const step = async (): Promise<boolean> => {
    const season = await atWork();
    if (!season) {
      release();
      await announceEnded();
      return false;
    }
    const { id, state } = season;
    hold(season);
    if (state === 'running') {
      if (await takePoints(db, id)) return true;
      await resetLimits(db, id);
    }
    const round = state === 'running' ? giveAgain.give : giveAgain.takeBack;
    const { steps, memberIds } = await round(id, signal);
    for (const memberId of memberIds) regranted.add(memberId);
    if (steps > 0 || (await end(season))) return true;
    // What is left rests until its next try, or another process has ended it.
    schedule(retryMs);
    return false;
  };

  const work = async (): Promise<void> => {
    do {
      again = false;
      if (!licenseHolds()) {
        schedule(retryMs);
        return;
      }
      while (!signal.aborted && (await step()));
    } while (again && !signal.aborted);
  };

  const start = () => {
    if (signal.aborted) return;
    running = work()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'a season waits for the database');
        else log.error({ err: error }, 'a season could not be carried on; tried again');
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
    async prepare() {
      const season = await atWork();
      if (season) hold(season);
      wake();
    },
    async holdOf(seasonId) {
      const season = await seasonsAsHeld().where('id', '=', seasonId).executeTakeFirst();
      if (season) hold(season);
    },
    wake,
    async idle() {
      while (running) await running;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([running, delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};
