import { sql } from 'kysely';
import { overdueMs } from '../../kernel/commands/lag.ts';

/** Deliveries that wait for a decision. */
export const waitingDeliveries = sql`
  select 'deliveries', null::text, count(*), min(desk_at) from deliveries where desk_reason is not null`;

/** Removal commands of refunded orders that no game in use has taken for an hour. */
export const overdueCounterCommands = (now: Date) => sql`
  select 'removals', null, count(*), min(refunded.refunded_at)
    from (select delivery_id, server_id from counter_commands where state = 'waiting'
          union all select delivery_id, server_id from counter_commands where state = 'sent') as counter
    join deliveries as refunded on refunded.id = counter.delivery_id
    join game_servers as server on server.id = counter.server_id and server.archived_at is null
   where refunded.refunded_at < ${new Date(now.getTime() - overdueMs)}`;
