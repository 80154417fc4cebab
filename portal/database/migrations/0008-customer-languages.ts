import { type Kysely, sql } from 'kysely';

const statements = [
  // What the customer read in when they last visited or bought; null: not known, and mails speak all languages.
  sql`alter table tenants add column language text check (language in ('en', 'pt-BR'))`,
];

export const customerLanguages = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(db);
  },
};
