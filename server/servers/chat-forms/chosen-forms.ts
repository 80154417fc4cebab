import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** The forms of each server in memory, which its agent is told with every welcome. */
export type ChosenForms = ReturnType<typeof createChosenForms>;

export const createChosenForms = (db: Kysely<Tables>) => {
  const chosen = new Map<string, readonly string[]>();
  return {
    async prepare(): Promise<void> {
      const rows = await db.selectFrom('chat_forms').select(['server_id', 'forms']).execute();
      for (const { server_id, forms } of rows) chosen.set(server_id, forms);
    },
    /** Null: none were ever chosen. */
    of: (serverId: string): readonly string[] | null => chosen.get(serverId) ?? null,
    set: (serverId: string, forms: readonly string[]): void => void chosen.set(serverId, forms),
  };
};
