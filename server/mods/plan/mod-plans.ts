import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ChangeWish, ModsPlan } from '#contracts/mods/mods.ts';
import type { InstalledMod, ModItem, ModsList } from '#contracts/servers/agent-mods.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { PlannedChange } from './plan.ts';

export type ModPlanRow = Selectable<Tables['mod_plans']>;

/** People review a plan before it is carried out, while the sources keep changing. */
const expiresInMinutes = 30;

const itemOf = (mod: InstalledMod): ModItem => {
  const { since: _, files: __, fileCount: ___, changedFiles: ____, metadata: _____, ...item } = mod;
  return item;
};

/** Null when nothing known restores the set: a file that was found and adopted stays. */
const inverseOf = (list: ModsList, { put, remove, adopt }: ModPlanRow['change']): ModPlanRow['inverse'] => {
  const before = new Map(list.installed.map((mod) => [mod.key, mod]));
  const touched = new Set([...put.map(({ key }) => key), ...remove]);
  const inverse = {
    put: [...touched].flatMap((key) => {
      const mod = before.get(key);
      return mod ? [itemOf(mod)] : [];
    }),
    remove: put.map(({ key }) => key).filter((key) => !before.has(key)),
  };
  return adopt.length > 0 || touched.size === 0 ? null : inverse;
};

const kindOf = (wishes: readonly ChangeWish[]): ModPlanRow['kind'] => {
  if (wishes.some((wish) => wish.do === 'undo')) return 'undo';
  return wishes.some((wish) => wish.do === 'set') ? 'set' : 'change';
};

export const insertPlan = (
  db: Kysely<Tables>,
  serverId: string,
  wishes: readonly ChangeWish[],
  list: ModsList,
  { put, remove, adopt, lines, faults }: PlannedChange,
): Promise<ModPlanRow> => {
  const change = { put, remove, adopt };
  const inverse = inverseOf(list, change);
  return db
    .insertInto('mod_plans')
    .values({
      id: createId(),
      server_id: serverId,
      base: list.revision,
      kind: kindOf(wishes),
      change: JSON.stringify(change),
      inverse: inverse && JSON.stringify(inverse),
      lines: JSON.stringify(lines),
      faults: JSON.stringify(faults),
      expires_at: sql<Date>`now() + make_interval(mins => ${expiresInMinutes})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const shownPlan = (
  row: ModPlanRow,
  more: Pick<ModsPlan, 'downloadBytes' | 'needsRestart' | 'rehearsalObstacle' | 'unneeded'>,
): ModsPlan => ({
  id: row.id,
  serverId: row.server_id,
  madeAt: row.made_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lines: row.lines,
  faults: row.faults,
  ...more,
});

/** @returns how many */
export const deleteOldPlans = async (db: Kysely<Tables>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('mod_plans')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
