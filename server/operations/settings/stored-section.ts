import { type Kysely, sql } from 'kysely';
import type { SectionName } from '#contracts/operations/settings.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export interface StoredSection {
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Sealed texts by field. */
  readonly sealed: ReadonlyMap<string, string>;
}

/** One statement, so that values and secrets belong to the same moment. */
export const readStoredSection = async (db: Kysely<Tables>, section: SectionName): Promise<StoredSection> => {
  const rows = await db
    .selectFrom(sql<{ section: string }>`(select ${section}::text as section)`.as('asked'))
    .leftJoin('settings', 'settings.section', 'asked.section')
    .leftJoin('settings_secrets', 'settings_secrets.section', 'asked.section')
    .select(['settings.version', 'settings.values', 'settings_secrets.field', 'settings_secrets.sealed'])
    .execute();
  const sealed = new Map<string, string>();
  for (const row of rows) if (row.field !== null && row.sealed !== null) sealed.set(row.field, row.sealed);
  return { version: rows[0]?.version ?? 0, values: rows[0]?.values ?? {}, sealed };
};
