import { type Kysely, sql } from 'kysely';
import type { Way } from '../../kernel/commands/console-router.ts';
import type { PreparedSending } from '../../kernel/commands/routes.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import {
  type AttemptRow,
  commandIdOf,
  type DeliveryRow,
  type Evidence,
  lockPolicy,
} from './delivery-rows.ts';

export interface Claim {
  readonly delivery: DeliveryRow;
  readonly serverId: string;
  readonly way: Way;
  readonly playerId: string | null;
  readonly command: string;
  readonly maskedCommand: string;
  readonly evidence: Evidence;
  /** Time allowed for the game's reply. */
  readonly timeoutMs: number;
  /** Allowed after a restore of the database too: the game itself can tell whether it was given. */
  readonly isOfAnyEpoch: boolean;
}

export interface Claimed {
  readonly attempt: AttemptRow;
  readonly prepared: PreparedSending;
}

/**
 * Claims waiting deliveries and stores their attempts and the agents' commands in one transaction.
 * @returns for each claim, null if the delivery has changed since it was read, if a season holds its server, or if it
 * is one
 * of several and locked
 */
export const claimDeliveries = (
  { db, ways }: Pick<StoreContext, 'db' | 'ways'>,
  claims: readonly Claim[],
): Promise<readonly (Claimed | null)[]> =>
  retryDeadlocks(db, async (trx) => {
    const attempts = new Map(
      (await takeWaiting(trx, claims)).map((attempt) => [attempt.delivery_id, attempt]),
    );
    const taken = claims.filter(({ delivery }) => attempts.has(delivery.id));
    const prepared = await ways.prepare(
      trx,
      taken.map(({ delivery, serverId, way, command, timeoutMs }) => ({
        id: commandIdOf(delivery.id, delivery.attempts + 1),
        serverId,
        way,
        command,
        timeoutMs,
      })),
    );
    const sendings = new Map(taken.map(({ delivery }, index) => [delivery.id, prepared[index]]));
    return claims.map(({ delivery: { id } }) => {
      const attempt = attempts.get(id);
      const sending = sendings.get(id);
      return attempt && sending ? { attempt, prepared: sending } : null;
    });
  });

/**
 * Selects by id alone: with more conditions the planner prefers the index of all waiting rows. Of several claims, a row
 * that another transaction holds is skipped, so that it delays no other.
 */
const takeWaiting = async (trx: Kysely<Tables>, claims: readonly Claim[]): Promise<readonly AttemptRow[]> => {
  const column = <Value>(read: (claim: Claim) => Value): Value[] => claims.map(read);
  const { rows } = await sql<AttemptRow>`
    with wanted as (
      select * from unnest(
        ${column(({ delivery }) => delivery.id)}::uuid[],
        ${column(({ delivery }) => delivery.attempts)}::integer[],
        ${column(({ delivery }) => delivery.generation)}::integer[],
        ${column(({ delivery }) => commandIdOf(delivery.id, delivery.attempts + 1))}::text[],
        ${column(({ serverId }) => serverId)}::text[],
        ${column(({ way }) => way)}::text[],
        ${column(({ playerId }) => playerId)}::bigint[],
        ${column(({ maskedCommand }) => maskedCommand)}::text[],
        ${column(({ evidence }) => JSON.stringify(evidence))}::text[],
        ${column(({ isOfAnyEpoch }) => isOfAnyEpoch)}::boolean[]
      ) as wanted (id, attempts, generation, command_id, server_id, way, player_id, command, evidence, is_of_any_epoch)
    ), locked as (
      select deliveries.* from deliveries
      where id = any (${column(({ delivery }) => delivery.id)}::uuid[])
      order by id for no key update ${lockPolicy(claims)}
    ), fit as (
      select wanted.* from wanted join locked using (id)
      where locked.state in ('pending', 'waiting')
        and locked.attempts = wanted.attempts
        and locked.generation = wanted.generation
        and (locked.expires_at is null or locked.expires_at > now())
        and not exists (
          select from seasons
          where seasons.state in ('running', 'undoing') and seasons.game = locked.game
            and (seasons.scope_server_ids is null or wanted.server_id = any (seasons.scope_server_ids)))
        and (wanted.is_of_any_epoch or locked.epoch = (select epoch from store_state))
    ), claimed as (
      update deliveries set
        state = 'sending', waits_for = null, detail = null, server_id = fit.server_id, player_id = fit.player_id,
        way = fit.way, attempts = fit.attempts + 1, started_at = coalesce(deliveries.started_at, now())
      from fit where deliveries.id = fit.id
      returning deliveries.id
    )
    insert into delivery_attempts (delivery_id, number, command_id, server_id, way, player_id, command, evidence)
    select id, attempts + 1, command_id, server_id, way, player_id, command, evidence::jsonb
    from claimed join fit using (id)
    returning *`.execute(trx);
  return rows;
};
