import { type Kysely, sql } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import type { PortalTables } from '../database/tables.ts';

/** The language of the customer with this address; null if unknown. */
export const customerLanguage = async (db: Kysely<PortalTables>, email: string): Promise<Language | null> => {
  const customer = await db
    .selectFrom('tenants')
    .select('language')
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .executeTakeFirst();
  return customer?.language ?? null;
};

/** Records the language in which a customer visits or buys; mails use the last one. */
export const keepCustomerLanguage = async (
  db: Kysely<PortalTables>,
  tenantId: string,
  language: Language,
): Promise<void> => {
  await db.updateTable('tenants').set({ language }).where('id', '=', tenantId).execute();
};
