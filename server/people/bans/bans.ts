import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import type { Log } from '#runtime/log.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { usualAnswerMs } from '../../kernel/commands/place-sender.ts';
import { createRounds, logUntilStop } from '../../kernel/commands/rounds.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type BansReading, inspectBans } from './inspect-bans.ts';
import { createBanReading } from './read-bans.ts';
import { createSendBans, type SendBansOptions } from './send-bans.ts';
import { createWriteBans, endExpired, foldNews } from './write-bans.ts';

interface BansOptions
  extends Pick<SendBansOptions, 'db' | 'ways' | 'servers' | 'sessions'>,
    Partial<Pick<SendBansOptions, 'answerMs'>> {
  readonly licenseHolds: () => boolean;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  readonly log: Log;
}

/** Stores bans and sends them to the servers that they are meant for. */
export type Bans = ReturnType<typeof createBans>;

/** Players. */
const newsAtOnce = 500;

export const createBans = (options: BansOptions) => {
  const { db, ways, servers, sessions, licenseHolds, log } = options;
  const clock = options.now ?? Date.now;
  const now = () => new Date(clock());
  const stopping = new AbortController();
  const mayRun = () => licenseHolds() && !stopping.signal.aborted;
  const failure = 'could not apply bans to servers';
  const tell = logUntilStop(stopping.signal, { log, what: 'bans', failure });
  const sending = createSendBans({
    db,
    ways,
    servers,
    sessions,
    now,
    stopping: stopping.signal,
    mayRun,
    tell,
    answerMs: options.answerMs ?? usualAnswerMs,
  });

  const { silentMs, ...rounds } = createRounds({
    async work(progress) {
      if (mayRun()) await endExpired(db, now());
      // What is known to be due is sent between two batches: a new server makes news of every ban of its game.
      for (let isMore = true; isMore && mayRun(); ) {
        isMore = await foldNews(db, now(), newsAtOnce);
        await sending.recover();
        await sending.sendDue();
        progress();
      }
    },
    idle: sending.idle,
    stopping,
    clock,
    tell,
  });
  const write = createWriteBans({ db, now, onChange: rounds.wake });

  /** The state of a player on a server, once the game was asked if it is there. */
  const report = async (playerId: string, serverId: string): Promise<ModerationReport> => {
    const find = () =>
      db
        .selectFrom('ban_places')
        .selectAll()
        .where('player_id', '=', playerId)
        .where('server_id', '=', serverId)
        .executeTakeFirst();
    const isOpen = (place: Awaited<ReturnType<typeof find>>) =>
      place !== undefined && (place.is_sent || !place.is_settled);
    let place = await find();
    // A second time if another change was under way, whose reply does not answer this one.
    for (let left = 2; left > 0 && isOpen(place); left -= 1) {
      if (place) await sending.bring(place);
      place = await find();
    }
    const detail = place?.detail ?? '';
    if (!place || !isOpen(place))
      // Even if nothing was ever sent.
      return {
        outcome: 'answered',
        verdict: place?.certainty === 'unconfirmed' ? 'unproven' : 'done',
        detail,
      };
    if (place.is_sent) return { outcome: 'unknown', verdict: null, detail: '', kept: true };
    if (ways.open(serverId) === null)
      return { outcome: 'unreachable', verdict: null, detail: reasons['server-away'], kept: true };
    const outcome = place.outcome ?? 'unreachable';
    return { outcome, verdict: place.is_refused ? 'failed' : null, detail, kept: true };
  };

  return {
    ...rounds,
    takeLate: sending.takeLate,
    reading: createBanReading(db),
    write,
    /** Bans on one server and returns what the game replied, if it is there. The caller has checked the permission. */
    async banOn(
      {
        playerId,
        serverId,
        reason,
      }: { readonly playerId: string; readonly serverId: string; readonly reason: string },
      by: AuditContext,
    ): Promise<ModerationReport | Refusal> {
      const given = await write.give(playerId, { servers: [serverId], reason, until: null }, by);
      return isRefusal(given) ? given : report(playerId, serverId);
    },
    /** Lifts in the same way, also a ban that Castellan does not know. */
    async unbanOn(
      { playerId, serverId }: { readonly playerId: string; readonly serverId: string },
      by: AuditContext,
    ): Promise<ModerationReport | Refusal> {
      const lifted = await write.liftOn(playerId, serverId, by);
      if (isRefusal(lifted)) return lifted;
      if (lifted === 0) await askToLift(db, playerId, serverId, now());
      return report(playerId, serverId);
    },
    /** How far bans have come, and whether they are sent at all. */
    inspect: async (): Promise<BansReading> => ({ silentMs: silentMs(), ...(await inspectBans(db, now())) }),
  };
};

/** The game may have a ban that was never given here. */
const askToLift = async (
  db: BansOptions['db'],
  playerId: string,
  serverId: string,
  at: Date,
): Promise<void> => {
  await db
    .insertInto('ban_places')
    .values({
      server_id: serverId,
      player_id: playerId,
      wanted: 'free',
      wanted_at: at,
      known: 'unsure',
      certainty: null,
      next_try_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['player_id', 'server_id'])
        .doUpdateSet({ known: 'unsure', certainty: null, wanted_at: at, next_try_at: at })
        .where('ban_places.wanted', '=', 'free')
        .where('ban_places.is_sent', '=', false),
    )
    .execute();
};
