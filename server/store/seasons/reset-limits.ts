import { type Kysely, sql } from 'kysely';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/**
 * Makes the limits of a season's products count from its wipe on, unless they already count from a later time, and stores
 * the earlier time with each step.
 */
export const resetLimits = (db: Kysely<Tables>, seasonId: string): Promise<void> =>
  retryDeadlocks(db, async (trx) => {
    await sql`
      select from season_steps where season_id = ${seasonId} and kind = 'limit' and state = 'waiting'
      order by id for update`.execute(trx);
    await sql`
      with resetting as (
        select products.id, products.limits_since, seasons.began_at, season_steps.id as step_id
        from season_steps join products on products.id = season_steps.product_id
        join seasons on seasons.id = season_steps.season_id
        where season_id = ${seasonId} and kind = 'limit' and season_steps.state = 'waiting'
        order by products.id for update of products
      ), reset as (
        update products set limits_since = greatest(products.limits_since, resetting.began_at)
        from resetting where products.id = resetting.id
      )
      update season_steps set state = 'done', limits_since_was = resetting.limits_since
      from resetting where season_steps.id = resetting.step_id`.execute(trx);
  });

/** Products are locked before wallets. */
export const lockLimited = async (trx: Kysely<Tables>, seasonId: string): Promise<void> => {
  await sql`
    select from products
    where id in (select product_id from season_steps where season_id = ${seasonId} and kind = 'limit')
    order by id for update`.execute(trx);
};

/** Reverses that, except where another season has reset the limits since. */
export const restoreLimits = async (trx: Kysely<Tables>, seasonId: string): Promise<void> => {
  await sql`
    with restoring as (
      select products.id, season_steps.limits_since_was, season_steps.id as step_id,
             products.limits_since is not distinct from seasons.began_at as is_own
      from season_steps join products on products.id = season_steps.product_id
      join seasons on seasons.id = season_steps.season_id
      where season_id = ${seasonId} and kind = 'limit' and season_steps.state = 'done'
      order by products.id for update of products
    ), restored as (
      update products set limits_since = restoring.limits_since_was
      from restoring where products.id = restoring.id and restoring.is_own
    )
    update season_steps set state = 'undone' from restoring where season_steps.id = restoring.step_id`.execute(
    trx,
  );
};
