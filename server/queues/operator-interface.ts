import { createHash } from 'node:crypto';
import type pg from 'pg';
import { operatorRole } from '#contracts/product.ts';
import { operatorGrantsSql, operatorInterfaceSql } from './operator-interface-sql.ts';
import { queueSchema } from './queues.ts';

/**
 * Installs the operator's interface on pg-boss's tables. A fingerprint identifies an existing one, so that an ordinary start
 * changes nothing and waits for no operator's open transaction.
 */
export const installOperatorInterface = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ operator: boolean; fingerprint: string | null; stands: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as operator,
            obj_description(to_regnamespace('pgboss'), 'pg_namespace') as fingerprint,
            to_regclass('pgboss.job') is not null
              and to_regclass('${queueSchema}.castellan_finished_jobs') is not null as stands`,
    [operatorRole],
  );
  const sql = rows[0]?.operator ? operatorInterfaceSql + operatorGrantsSql : operatorInterfaceSql;
  const fingerprint = createHash('sha256').update(sql).digest('hex');
  // Dropping pg-boss's tables leaves the fingerprint behind.
  if (rows[0]?.stands && rows[0].fingerprint === fingerprint) return;
  // Statements sent as one text run in one transaction.
  await pool.query(`${sql} comment on schema pgboss is '${fingerprint}';`);
};
