import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The community's logo: at most one. */
const statements = [
  `create table community_logo (
     one boolean primary key default true check (one),
     media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
     width integer not null check (width between 1 and 512),
     height integer not null check (height between 1 and 512),
     bytes bytea not null check (octet_length(bytes) between 1 and 262144),
     sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$')
   )`,
];

export const communityLogo: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
