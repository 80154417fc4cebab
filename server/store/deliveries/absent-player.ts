import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { DeliveryRow } from './delivery-rows.ts';

export interface KnownPlayer {
  readonly playerId: string;
  readonly name: string;
  readonly platformId: string | null;
}

/**
 * The target of a command that needs no one on the server, such as a whitelist entry: the player who bought it by chat,
 * otherwise the receiver's most recently seen player of that game. Null: there is none, or the command names no player.
 */
export const readAbsentPlayer = async (
  db: Kysely<Tables>,
  {
    line,
    game,
    member_id,
    asking_player_id: askingId,
  }: Pick<DeliveryRow, 'line' | 'game' | 'member_id' | 'asking_player_id'>,
): Promise<KnownPlayer | null> => {
  if (line.kind !== 'command' || !/\{(?:player|platformId)\}/.test(line.command)) return null;
  const { rows } = await sql<KnownPlayer>`
    select id as "playerId", name, platform_id as "platformId" from players
     where member_id = castellan_member_today(${member_id}) and game = ${game}
     order by id is not distinct from ${askingId} desc, last_seen_at desc, id limit 1`.execute(db);
  return rows[0] ?? null;
};
