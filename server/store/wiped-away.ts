import { sql } from 'kysely';

/** For a query over deliveries under this alias: a season has begun on its server since it ended. */
export const hasSeasonSince = (delivery: 'deliveries' | 'given') => sql<boolean>`exists (
  select from seasons
  where seasons.game = ${sql.ref(`${delivery}.game`)} and seasons.state in ('running', 'done')
    and seasons.began_at > ${sql.ref(`${delivery}.ended_at`)}
    and (seasons.scope_server_ids is null or ${sql.ref(`${delivery}.server_id`)} = any (seasons.scope_server_ids)))`;

/** For a query over `deliveries`: a wipe took what it gave from the world, and only a season's own delivery gave it again. */
export const isWipedAway = sql<boolean>`(${hasSeasonSince('deliveries')} and exists (
  select from order_lines as sold join products on products.id = sold.product_id
  where sold.id = deliveries.order_line_id and products.on_wipe = 'regrant'))`;
