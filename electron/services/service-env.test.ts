import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readServiceEnv, removeServiceEnvs, writeServiceEnvs } from './service-env.ts';

const licenseServer = { url: 'http://127.0.0.1:1', publicKey: 'A'.repeat(43) };

// Guarantee: the database and the bot get their own settings, unchanged, and none of the stack's other secrets.
test('the services have settings of their own', async () => {
  await using folder = await temporaryFolder('service-env');
  const home = join(folder.path, 'home ü');
  await mkdir(home);
  await writeFile(join(home, '.env'), "DISCORD_BOT_TOKEN=`it's#a\\newtoken`\n");
  await ensureEnv(home, licenseServer);
  const config = await readStackConfig(home);
  await writeServiceEnvs(home, config);

  expect(await readServiceEnv(home, 'postgres')).toEqual({ DATABASE_URL: config.databaseUrl.reveal() });
  const bot = await readServiceEnv(home, 'bot');
  expect(bot).toEqual({
    DISCORD_BOT_TOKEN: "it's#a\\newtoken",
    API_URL: config.apiUrl,
    INTERNAL_API_SECRET: config.internalApiSecret.reveal(),
    LOG_LEVEL: 'info',
  });
  await removeServiceEnvs(home);
  await expect(readServiceEnv(home, 'bot')).rejects.toThrow(/cannot be read/);
});
