import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { EndpointInput } from '#contracts/kernel/http.ts';
import type { ModSet } from '#contracts/mods/mods.ts';
import type { modsHttp } from '#contracts/mods/mods-http.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

type Draft = EndpointInput<typeof modsHttp.createSet>['body'];
type Trx = Kysely<Tables>;

/** Sets serve several servers, so they are for those who hold the permission for all of them. */
export type ModSets = ReturnType<typeof createModSets>;

export const createModSets = (db: Kysely<Tables>) => {
  const transact = async (
    { actor }: AuditContext,
    work: (trx: Trx) => Promise<ModSet | Refusal>,
  ): Promise<ModSet | Refusal> => {
    const refusal = lacks(actor, 'mods.write');
    if (refusal) return refusal;
    return refuseTaken(db.transaction().execute(work), 'mod_sets_name_key_key', refuse('NAME_TAKEN'));
  };
  const find = (trx: Trx, id: string) =>
    trx.selectFrom('mod_sets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  const columnsOf = ({ name, game, items }: Draft, { actor }: AuditContext) => ({
    name,
    name_key: nameKey(name),
    game,
    items: JSON.stringify(withoutRepetitions(items)),
    changed_by_name: actor.name,
  });

  return {
    async list(actor: Actor): Promise<ModSet[] | Refusal> {
      const refusal = lacks(actor, 'mods.read');
      if (refusal) return refusal;
      const rows = await db.selectFrom('mod_sets').selectAll().orderBy('name_key').execute();
      return rows.map(toModSet);
    },

    create: (draft: Draft, by: AuditContext): Promise<ModSet | Refusal> =>
      transact(by, async (trx) => {
        const row = await trx
          .insertInto('mod_sets')
          .values({ id: createId(), ...columnsOf(draft, by) })
          .returningAll()
          .executeTakeFirstOrThrow();
        const after = toModSet(row);
        await recordAudit(trx, { ...by, action: 'mod-sets.create', target: targetOf(row.id), after });
        return after;
      }),

    change: (
      id: string,
      { version, ...draft }: Draft & { readonly version: number },
      by: AuditContext,
    ): Promise<ModSet | Refusal> =>
      transact(by, async (trx) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        // Its projects belong to one game.
        if (row.version !== version || row.game !== draft.game) return refuse('CONFLICT');
        const changed = await trx
          .updateTable('mod_sets')
          .set({ ...columnsOf(draft, by), version: version + 1, changed_at: sql<Date>`now()` })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const before = toModSet(row);
        const after = toModSet(changed);
        await recordAudit(trx, { ...by, action: 'mod-sets.change', target: targetOf(id), before, after });
        return after;
      }),

    remove: (id: string, by: AuditContext): Promise<ModSet | Refusal> =>
      transact(by, async (trx) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        await trx.deleteFrom('mod_sets').where('id', '=', id).execute();
        const before = toModSet(row);
        await recordAudit(trx, { ...by, action: 'mod-sets.remove', target: targetOf(id), before });
        return before;
      }),
  };
};

const lacks = (actor: Actor, permission: 'mods.read' | 'mods.write'): Refusal | null =>
  may(actor, permission)
    ? null
    : refuse('FORBIDDEN', `Sets of mods are for those who hold ${permission} for all servers.`);

/** A server has one version of a project: the last one listed counts. */
const withoutRepetitions = (items: Draft['items']): Draft['items'] => [
  ...new Map(items.map((item) => [`${item.source}:${item.project}`, item])).values(),
];

const targetOf = (id: string): string => `mod-set:${id}`;

const toModSet = (row: Selectable<Tables['mod_sets']>): ModSet => ({
  id: row.id,
  name: row.name,
  game: row.game,
  items: row.items,
  version: row.version,
  changedAt: row.changed_at.toISOString(),
  changedByName: row.changed_by_name,
});

/** What a plan reads of a set; null: there is none. */
export const readSetOf = async (
  db: Kysely<Tables>,
  id: string,
): Promise<Pick<ModSet, 'name' | 'items' | 'game'> | null> =>
  (await db
    .selectFrom('mod_sets')
    .select(['name', 'items', 'game'])
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;
