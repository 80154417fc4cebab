import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A person's timeline merges many tables by time: it reads only that person's newest rows from each. */
const statements = [
  'create index player_sessions_left on player_sessions (player_id, left_at, id) where left_at is not null',
  `create index event_logs_chat on event_logs ((payload ->> 'playerId'), at, id) where kind = 'chat.message'`,
  'create index orders_member_created on orders (member_id, created_at, number)',
  'create index orders_receiver_created on orders (receiver_id, created_at, number)',
  'create index deliveries_member_ended on deliveries (member_id, ended_at, number) where ended_at is not null',
  `create index ledger_from_at on ledger (from_member, at, id) where from_member is not null and kind <> 'purchase'`,
  `create index ledger_to_at on ledger (to_member, at, id) where to_member is not null and kind <> 'purchase'`,
];

export const timelines: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
