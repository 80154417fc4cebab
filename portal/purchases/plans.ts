import type { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { PlanRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';

/** What a product of the gateway is sold as. */
export interface Plan {
  /** The product's name at the gateway. */
  readonly id: string;
  readonly tier: string;
  /** `['*']` means all. */
  readonly features: readonly string[];
  readonly maxClusters: number | null;
  /** For a single purchase; null: its license never expires. A subscription lasts as long as it is paid. */
  readonly durationDays: number | null;
}

export interface Plans {
  list(): Promise<readonly Plan[]>;
  /** Adds the plan, or changes what is sold under its name from now on. Licenses sold before do not change. */
  put(plan: Plan): Promise<void>;
  /** False: there was none. */
  remove(id: string): Promise<boolean>;
}

export const createPlans = (db: Kysely<PortalTables>, clock: Clock): Plans => ({
  async list() {
    const rows = await db.selectFrom('plans').selectAll().orderBy('id').execute();
    return rows.map(viewPlan);
  },
  async put({ id, tier, features, maxClusters, durationDays }) {
    const plan = {
      tier,
      features: JSON.stringify(features),
      max_clusters: maxClusters,
      duration_days: durationDays,
      updated_at: clock.now(),
    };
    await db
      .insertInto('plans')
      .values({ id, ...plan })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(plan))
      .execute();
  },
  async remove(id) {
    const { numDeletedRows } = await db.deleteFrom('plans').where('id', '=', id).executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

const viewPlan = (row: PlanRow): Plan => ({
  id: row.id,
  tier: row.tier,
  features: row.features,
  maxClusters: row.max_clusters,
  durationDays: row.duration_days,
});
