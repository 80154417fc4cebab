import { join } from 'node:path';
import pg from 'pg';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { ApiUnavailableError, RunAsServicesError } from '../../control/control-client.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandFailure } from '../exit-codes.ts';
import { readInstallation } from '../installation.ts';
import { askLocalApi } from '../local-api.ts';
import { restart } from '../power.ts';
import { restartInstalledService } from '../services.ts';
import { rotateKey } from './rotate-key.ts';

/** `castellan key rotate`, on the running stack of this data folder. */
export const keyRotate = async (context: CommandContext): Promise<void> => {
  const { home, terminal } = context;
  await readInstallation(home);
  const result = await rotateKey({
    home,
    say: terminal.say,
    stack: {
      // The API is away for a moment while it restarts, or for longer: the procedure itself knows how long to wait.
      status: () => askLocalApi(home, secretsHttp.status).catch(nullWhenAway),
      async reencrypt() {
        await askLocalApi(home, secretsHttp.reencrypt);
      },
      restartApi: () => restartApi(context),
      backUp: () => backUp(home),
    },
  });
  if (result.outcome === 'stopped') throw new CommandFailure(result.detail);
  terminal.say(`Done. Everything is encrypted with the key ${result.keyId}.`);
};

/** Where services run the stack, only Windows restarts it. */
export const restartApi = async (
  context: CommandContext,
  restartAsService: typeof restartInstalledService = restartInstalledService,
): Promise<void> => {
  try {
    await restart(context, 'api');
  } catch (error) {
    if (!(error instanceof RunAsServicesError)) throw error;
    await restartAsService(context.home, 'api');
  }
};

/** For a status that is asked while the API may be away. */
export const nullWhenAway = (error: unknown): null => {
  if (error instanceof CommandFailure || error instanceof ApiUnavailableError) return null;
  throw error;
};

const backUp = async (home: string): Promise<string> => {
  const { databaseUrl } = await readStackConfig(home);
  const client = new pg.Client({ connectionString: splitConnectionLimit(databaseUrl.reveal()).url });
  await client.connect();
  try {
    return await takeBackup(
      client,
      join(home, 'postgres', 'data'),
      join(home, 'backups'),
      'before key rotation',
    );
  } finally {
    await client.end();
  }
};
