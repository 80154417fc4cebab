import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who approved the commands of a product, and what the store sent to games, in the history of the console. Versions that exist
 * count as approved. One that the previous release writes is approved only if it runs the same as the version before it.
 */
const statements = [
  `alter table product_versions add column approved_by text default 'update'`,
  'alter table product_versions alter column approved_by drop default',
  'alter table product_versions add column approved_name text',
  'alter table product_versions add column approved_at timestamptz(3) default now()',
  'alter table product_versions alter column approved_at drop default',
  `create function castellan_keep_approval() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     select known.approved_by, known.approved_name, known.approved_at
       into new.approved_by, new.approved_name, new.approved_at
       from public.product_versions as known
      where known.product_id = new.product_id and known.version = new.version - 1
        and known.lines = new.lines and known.game = new.game
        and known.cluster_ids = new.cluster_ids and known.server_ids = new.server_ids;
     return new;
   end $$`,
  `create trigger product_versions_approval before insert on product_versions for each row
     when (new.approved_by is null) execute function castellan_keep_approval()`,
  'alter table deliveries add column approved_by text',
  'alter table deliveries add column approved_name text',
  'alter table console_commands add column order_id text',
  'alter table console_commands add column product_id text',
  'alter table console_commands add column approved_by text',
  'alter table console_commands add column approved_name text',
  'create unique index console_commands_of_orders on console_commands (run_id) where order_id is not null',
  `create function castellan_begin_command(delivery uuid, sent_id text, server text, link text, shown text)
   returns void language sql set search_path = pg_catalog, pg_temp as $$
     insert into public.console_commands
       (server_id, run_id, actor, actor_name, command, via, order_id, product_id, approved_by, approved_name)
     select server, sent_id, orders.actor, orders.actor_name, shown, link, orders.id, line.product_id,
            given.approved_by, given.approved_name
       from public.deliveries as given
       join public.orders on orders.id = given.order_id
       join public.order_lines as line on line.id = given.order_line_id
      where given.id = delivery and given.line ->> 'kind' = 'command'
     on conflict do nothing
   $$`,
  `create function castellan_end_command(sent_id text, ended text, answer text) returns void
     language sql set search_path = pg_catalog, pg_temp as $$
     update public.console_commands set
       revised_from = case when outcome <> ended then outcome else revised_from end,
       revised_at = case when outcome <> ended then now() else revised_at end,
       outcome = ended, reply = coalesce(answer, reply),
       duration_ms = coalesce(duration_ms, least(extract(epoch from now() - at) * 1000, 2147483647)::integer)
      where run_id = sent_id and order_id is not null
   $$`,
  `create function castellan_attempt_in_history() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if tg_op = 'INSERT' then
       perform public.castellan_begin_command(new.delivery_id, new.command_id, new.server_id, new.way, new.command);
     else
       perform public.castellan_end_command(new.command_id, coalesce(new.outcome, 'unknown'), new.reply);
     end if;
     return null;
   end $$`,
  `create trigger delivery_attempts_sent after insert on delivery_attempts for each row
     execute function castellan_attempt_in_history()`,
  `create trigger delivery_attempts_ended after update of outcome, reply, detail, ended_at on delivery_attempts
     for each row when ((old.outcome, old.reply, old.detail, old.ended_at)
       is distinct from (new.outcome, new.reply, new.detail, new.ended_at))
     execute function castellan_attempt_in_history()`,
  `create function castellan_place_in_history() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if new.is_sent and new.command_id is distinct from old.command_id then
       perform public.castellan_begin_command(new.delivery_id, new.command_id, new.server_id, new.way, new.command);
     elsif new.outcome is not null then
       perform public.castellan_end_command(new.command_id, new.outcome, new.reply);
     end if;
     return null;
   end $$`,
  `create trigger entitlement_places_sent after update of command_id, outcome, reply on entitlement_places
     for each row when ((old.command_id, old.outcome, old.reply)
       is distinct from (new.command_id, new.outcome, new.reply))
     execute function castellan_place_in_history()`,
];

export const commandApprovals: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
