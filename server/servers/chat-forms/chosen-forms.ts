import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** The forms of each server in memory, which its agent is told with every welcome. */
export interface ChosenForms {
  prepare(): Promise<void>;
  /** Null: none were ever chosen. */
  of(serverId: string): readonly string[] | null;
  set(serverId: string, forms: readonly string[]): void;
}

export const createChosenForms = (db: Kysely<Tables>): ChosenForms => {
  const chosen = new Map<string, readonly string[]>();
  return {
    async prepare() {
      const rows = await db.selectFrom('chat_forms').select(['server_id', 'forms']).execute();
      for (const { server_id, forms } of rows) chosen.set(server_id, forms);
    },
    of: (serverId) => chosen.get(serverId) ?? null,
    set: (serverId, forms) => void chosen.set(serverId, forms),
  };
};
