import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { Secret } from '#runtime/secret.ts';
import { createSettings } from '../../operations/settings.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { silentLog } from '../testing/feature-api.ts';
import { migrations } from './migrations.ts';
import { openNotifications } from './notifications.ts';
import type { Tables } from './tables.ts';

const upTo = '0014-discord-users';

// Guarantee: a database with saved settings that no longer exist comes up without them, and with all others.
test('settings of an earlier version', async () => {
  await using database = await testDatabase();
  const { url } = database;
  await using opened = openDatabase<Tables>({ url, applicationName: 'test', log: silentLog });
  const { db, pool } = opened;
  const earlier = Object.entries(migrations).filter(([name]) => name <= upTo);
  await migrate({ db, migrations: Object.fromEntries(earlier), log: silentLog });
  await pool.query(
    `insert into settings (section, version, values) values
     ('discord', 3, '{"eventChannelId": "222222222222222222"}'), ('general', 2, '{"communityName": "Kept"}')`,
  );
  await migrate({ db, migrations, log: silentLog });
  await using notifications = openNotifications(url, silentLog);
  const settings = createSettings({
    db,
    secrets: createSecrets([new Secret('a'.repeat(64))]),
    notifications,
  });
  const sections = await settings.describeAll();
  expect(sections.find(({ name }) => name === 'general')).toMatchObject({
    version: 2,
    values: { communityName: 'Kept' },
  });
  expect((await pool.query('select section from settings')).rows).toEqual([{ section: 'general' }]);
});
