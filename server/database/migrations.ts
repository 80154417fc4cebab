import type { Migrations } from '#runtime/database/migrate.ts';
import { auditAndQueues } from './migrations/0001-audit-and-queues.ts';

/**
 * Frozen once released. A new version of pg-boss that changes its tables gets a migration here too, if only an empty
 * one: that is what makes the backup be taken before pg-boss changes them. Where pg-boss changes a column that the view
 * pgboss.job shows, that migration drops the view; the start makes it anew.
 */
export const migrations: Migrations = {
  '0001-audit-and-queues': auditAndQueues,
};
