import { filledDatabase, type TestDatabase } from '#harness/database.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { uncontestedLeases } from '../commands/testing/uncontested-leases.ts';
import { migrations } from '../database/migrations.ts';
import { openNotifications } from '../database/notifications.ts';
import { createSchemaUpgrade } from '../database/schema-upgrade.ts';
import type { Tables } from '../database/tables.ts';
import { startQueueEngine, stopQueueEngine } from '../queues/queue-engine.ts';

/** A new database with the API's schema and its queues, and no row that an API wrote. */
export const apiDatabase = (): Promise<TestDatabase> => filledDatabase('api_template', fillApiDatabase);

/** Gives an empty database the API's schema and its queues. */
export const fillApiDatabase = async (url: Secret): Promise<void> => {
  const log = createLog({ component: 'test', level: 'silent' });
  await using database = openDatabase<Tables>({ url, applicationName: 'template', log });
  const { pool } = database;
  const folders = { data: '/nonexistent', backups: '/nonexistent' };
  await createSchemaUpgrade({ pool, migrations, folders, log })();
  await using notifications = openNotifications(url, log);
  await stopQueueEngine(await startQueueEngine({ pool, notifications, leases: uncontestedLeases, log }));
};
