import type { Kysely } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { identifyPlayer, type ReplacePlayer } from './identify-player.ts';
import { renamePlayers, type Sighting, upsertPlayers } from './player-rows.ts';
import type { OngoingSession, StoredSession } from './player-session.ts';
import { identityOf, type SeenPlayer } from './seen-player.ts';
import type { ServerRoster } from './server-roster.ts';
import { changeHandles, closeSessions, insertSessions } from './session-rows.ts';

type Roster = Pick<ServerRoster, 'serverId' | 'game' | 'open' | 'ended' | 'forget'>;
type Trx = Kysely<Tables>;

/** A snapshot of a session, which may change while it is being written. */
interface Taken extends SeenPlayer {
  readonly session: OngoingSession;
  readonly stored: StoredSession | null;
  readonly joinedAt: Date;
  readonly confirmedAt: Date;
  readonly leftAt: Date | null;
}

const take = (session: OngoingSession): Taken => ({ ...session, session });

const isChanged = ({ stored, name, platformId, handle }: OngoingSession): boolean =>
  stored?.name !== name || stored.platformId !== platformId || stored.handle !== handle;

/** Whether the database has everything except the duration of open sessions. */
export const isWritten = ({ open, ended }: Pick<ServerRoster, 'open' | 'ended'>): boolean =>
  ended.size === 0 && ![...open].some(isChanged);

/** Brings the database to the roster's current state, with the events for it, in one transaction. */
export const writeSessions = async (
  db: Kysely<Tables>,
  roster: Roster,
  replacePlayer: ReplacePlayer,
): Promise<void> => {
  const { serverId, game } = roster;
  const ended = [...roster.ended].map(take);
  const changed = [...roster.open].filter(isChanged).map(take);
  if (ended.length === 0 && changed.length === 0) return;
  const stored = await retryDeadlocks(db, async (trx) => {
    await close(trx, serverId, ended);
    const known = await change(trx, serverId, game, changed, replacePlayer);
    const fresh = [...ended, ...changed].filter((taken) => !taken.stored);
    const opened = await open(trx, serverId, game, fresh);
    return new Map([...known, ...opened]);
  });
  for (const [session, as] of stored) session.stored = as;
  roster.forget(ended.map(({ session }) => session));
};

const close = async (trx: Trx, serverId: string, ended: readonly Taken[]) => {
  const closed = ended.flatMap(({ stored, confirmedAt, leftAt, ...taken }) =>
    stored && leftAt ? [{ ...taken, ...stored, confirmedAt, leftAt }] : [],
  );
  await closeSessions(trx, closed);
  for (const { playerId, name, joinedAt, leftAt } of closed)
    await recordLeft(trx, serverId, { playerId, name, joinedAt, leftAt });
};

/** Writes what became known about players who were already there. */
const change = async (
  trx: Trx,
  serverId: string,
  game: GameId,
  changed: readonly Taken[],
  replacePlayer: ReplacePlayer,
) => {
  const results = new Map<OngoingSession, StoredSession>();
  const renamed: (Sighting & { playerId: string })[] = [];
  const known = changed.flatMap((taken) => (taken.stored ? [{ ...taken, stored: taken.stored }] : []));
  for (const { session, stored, ...taken } of known) {
    const sighting = sightingOf(taken);
    const { sessionId } = stored;
    let { playerId } = stored;
    if (stored.platformId !== taken.platformId)
      playerId = await identifyPlayer(
        trx,
        serverId,
        game,
        { ...sighting, sessionId, playerId },
        replacePlayer,
      );
    else if (stored.name !== taken.name) renamed.push({ ...sighting, from: taken.confirmedAt, playerId });
    results.set(session, asStored(taken, sessionId, playerId));
  }
  await renamePlayers(trx, renamed);
  await changeHandles(trx, [...results.values()]);
  return results;
};

const open = async (trx: Trx, serverId: string, game: GameId, fresh: readonly Taken[]) => {
  const players = await upsertPlayers(trx, game, fresh.map(sightingOf));
  const sessions = fresh.map((taken) => ({ ...taken, playerId: players.get(identityOf(game, taken)) ?? '' }));
  const ids = await insertSessions(trx, serverId, sessions);
  const results = new Map<OngoingSession, StoredSession>();
  for (const { session, playerId, joinedAt, leftAt, ...taken } of sessions) {
    const { name } = taken;
    await recordEvent(trx, 'player.joined', { playerId, name }, { serverId, at: joinedAt });
    const id = ids.get(playerId);
    if (leftAt) await recordLeft(trx, serverId, { playerId, name, joinedAt, leftAt });
    else if (id !== undefined) results.set(session, asStored(taken, id, playerId));
  }
  return results;
};

const recordLeft = (
  trx: Trx,
  serverId: string,
  {
    playerId,
    name,
    joinedAt,
    leftAt,
  }: {
    readonly playerId: string;
    readonly name: string;
    readonly joinedAt: Date;
    readonly leftAt: Date;
  },
) =>
  recordEvent(
    trx,
    'player.left',
    { playerId, name, playedSeconds: secondsBetween(joinedAt, leftAt) },
    { serverId, at: leftAt },
  );

export const secondsBetween = (from: Date, until: Date): number =>
  Math.max(0, Math.floor((until.getTime() - from.getTime()) / 1000));

const asStored = (
  { name, platformId, handle }: SeenPlayer,
  sessionId: string,
  playerId: string,
): StoredSession => ({
  name,
  platformId,
  handle,
  sessionId,
  playerId,
});

const sightingOf = ({
  name,
  platformId,
  joinedAt,
  confirmedAt,
  leftAt,
}: Pick<Taken, 'name' | 'platformId' | 'joinedAt' | 'confirmedAt' | 'leftAt'>): Sighting => ({
  name,
  platformId,
  from: joinedAt,
  until: leftAt && leftAt > confirmedAt ? leftAt : confirmedAt,
});
