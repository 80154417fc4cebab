import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Short codes for the chat of games, questions that wait for a number there, and survivor numbers from players. */
const statements = [
  `alter table products add column short_code text
     constraint products_short_code_shape check (short_code ~ '^[A-Z][A-Z0-9]{1,11}$')`,
  'create unique index products_short_code on products (short_code)',
  // The first letters and digits of the name, and a number if another product has them.
  `do $$
   declare
     one record;
     base text;
     wanted text;
     place integer;
   begin
     for one in
       select products.id, upper(regexp_replace(sold.name, '[^A-Za-z0-9]', '', 'g')) as letters
       from products join product_versions as sold
         on sold.product_id = products.id and sold.version = products.version
       order by products.created_at, products.id
     loop
       base := left(regexp_replace(one.letters, '^[0-9]+', ''), 6);
       if length(base) < 2 then
         base := 'P' || base;
       end if;
       place := 1;
       wanted := base;
       while length(wanted) < 2 or exists (select from products where short_code = wanted) loop
         place := place + 1;
         wanted := base || place;
       end loop;
       update products set short_code = wanted where id = one.id;
     end loop;
   end $$`,
  `create table chat_confirmations (
     id bigint generated always as identity primary key,
     player_id bigint not null references players on delete cascade,
     server_id text not null references game_servers,
     command text not null check (command in ('buy', 'link', 'survivor')),
     line_key text not null,
     digest_salt bytea not null,
     number_digest bytea not null,
     is_proven boolean not null,
     asked jsonb not null,
     expected_total bigint,
     tries_left smallint not null check (tries_left >= 0),
     created_at timestamptz(3) not null default now(),
     expires_at timestamptz(3) not null
   )`,
  'create unique index chat_confirmations_one on chat_confirmations (player_id, server_id, command)',
  'create index chat_confirmations_expiry on chat_confirmations (expires_at)',
  'alter table survivor_numbers drop constraint survivor_numbers_source_check',
  `alter table survivor_numbers add constraint survivor_numbers_source_check
     check (source in ('staff', 'agent', 'player'))`,
];

export const chatShop: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
