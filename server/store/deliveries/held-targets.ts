import { type RawBuilder, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { TargetServer } from './delivery-targets.ts';

/** Servers that get nothing while their season is carried out or undone. */
export interface HeldTargets {
  readonly game: GameId;
  /** Null: every server of the game. */
  readonly serverIds: readonly string[] | null;
}

/** One season runs at a time; null: none does. Read together with the deliveries, so that every process sees it. */
export const heldTargets: RawBuilder<HeldTargets | null> = sql`(
  select jsonb_build_object('game', game, 'serverIds', scope_server_ids) from seasons
  where state in ('running', 'undoing'))`;

export const isHeld = (held: HeldTargets | null, { id, game }: TargetServer): boolean =>
  held?.game === game && (held.serverIds?.includes(id) ?? true);
