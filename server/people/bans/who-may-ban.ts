import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { NewBan } from '#contracts/people/bans.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { type PlayerScope, seenInScope } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse, refuseField } from '../../kernel/http/refusal.ts';
import { isOfGame, lastHandleIn } from './known-as.ts';

type Trx = Kysely<Tables>;

/** Characters. */
const longestId = 64;

export interface Target {
  readonly game: GameId;
  /** Null: all of the game. */
  readonly serverIds: readonly string[] | null;
}

interface KnownPlayer {
  readonly id: string;
  readonly name: string;
  readonly platform_id: string | null;
  readonly game: GameId;
}

export interface LockedBan {
  readonly id: string;
  readonly player_id: string | null;
  readonly game: GameId;
  readonly is_everywhere: boolean;
  readonly reason: string;
  readonly until: Date | null;
  readonly ended_at: Date | null;
  readonly ended_how: string | null;
}

/** Locked until the ban is written: an erasure waits for it, and finds it. */
export const readPlayer = (trx: Trx, scope: PlayerScope, id: string): Promise<KnownPlayer | undefined> =>
  trx
    .selectFrom('players as player')
    .select(['id', 'name', 'platform_id', 'game'])
    .where('id', '=', id)
    .where(seenInScope(scope, 'player'))
    .forNoKeyUpdate()
    .executeTakeFirst();

export const readTarget = async (
  trx: Trx,
  player: KnownPlayer,
  { servers, game }: NewBan,
  actor: Actor,
): Promise<Target | Refusal> => {
  if (servers === 'all')
    return may(actor, 'players.write')
      ? { game: game ?? player.game, serverIds: null }
      : refuse('FORBIDDEN', reasons['ban-needs-everywhere']);
  const ids = [...new Set(servers)].sort((a, b) => (a < b ? -1 : 1));
  if (!ids.every((id) => may(actor, 'players.write', id)))
    return refuse('FORBIDDEN', reasons['ban-needs-server']);
  const found = await trx
    .selectFrom('game_servers')
    .select(['id', 'game', 'archived_at'])
    .where(
      'id',
      'in',
      ids.map((id) => storableText(id, longestId)),
    )
    .execute();
  if (found.length < ids.length) return refuse('NOT_FOUND');
  if (found.some(({ archived_at }) => archived_at !== null)) return refuse('SERVER_ARCHIVED');
  const [first] = found;
  if (!first || found.some((one) => one.game !== first.game))
    return refuseField('body.servers', reasons['ban-games-differ']);
  return { game: first.game, serverIds: ids };
};

/** Why no server of the game could ever accept it, as far as the player is known now. */
export const refuseCommand = async (
  trx: Trx,
  player: KnownPlayer,
  game: GameId,
  reason: string,
): Promise<Refusal | null> => {
  const forms = gameOf(game).actions.ban;
  if (!forms) return refuse('NO_SUCH_COMMAND', reasons['command-unknown']);
  const { rows } = await sql<{ readonly handle: string | null; readonly isNamed: boolean }>`
    select ${lastHandleIn(sql`${game}::text`)} as handle, ${isOfGame(sql`${game}::text`)} as "isNamed"
      from players as player where player.id = ${player.id}`.execute(trx);
  const { handle = null, isNamed = false } = rows[0] ?? {};
  const rendered = forms.render({
    player: {
      platformId: player.platform_id ?? undefined,
      name: isNamed ? player.name : undefined,
      handle: handle || undefined,
    },
    reason,
  });
  return 'refused' in rendered ? refuse('NO_SUCH_COMMAND', rendered.refused) : null;
};

export const refuseBan = async (trx: Trx, actor: Actor, ban: LockedBan): Promise<Refusal | null> => {
  if (may(actor, 'players.write')) return null;
  if (ban.is_everywhere) return refuse('FORBIDDEN', reasons['ban-needs-everywhere']);
  const rows = await trx.selectFrom('ban_servers').select('server_id').where('ban_id', '=', ban.id).execute();
  return rows.every(({ server_id }) => may(actor, 'players.write', server_id))
    ? null
    : refuse('FORBIDDEN', reasons['ban-needs-server']);
};
