import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What refunded orders gave by commands, until it is known whether it was taken back. */
const statements = [
  // One for each attempt that gave something; the refund itself writes it, so that no later failure loses it.
  `create table counter_commands (
     delivery_id uuid not null,
     number integer not null,
     server_id text not null references game_servers,
     state text not null default 'waiting'
       check (state in ('waiting', 'sent', 'taken', 'refused', 'unknown', 'impossible')),
     epoch integer not null,
     tries integer not null default 0,
     next_try_at timestamptz(3) not null default now(),
     command_id text unique,
     way text check (way in ('agent', 'direct')),
     sent_at timestamptz(3),
     detail text,
     primary key (delivery_id, number),
     foreign key (delivery_id, number) references delivery_attempts (delivery_id, number),
     check (state <> 'sent' or command_id is not null and way is not null and sent_at is not null)
   )`,
  `create index counter_commands_due on counter_commands (server_id, next_try_at) where state = 'waiting'`,
  `create index counter_commands_sent on counter_commands (sent_at) where state = 'sent'`,
  // The order that is being taken back: once begun, it is completed, whatever the shop reports in between.
  'alter table shop_orders add column taking_order_id text',
];

export const counterCommands: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
