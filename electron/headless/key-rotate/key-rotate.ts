import { join } from 'node:path';
import pg from 'pg';
import { secretsHttp } from '#contracts/secrets.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandFailure } from '../exit-codes.ts';
import { askLocalApi } from '../local-api.ts';
import { restart } from '../power.ts';
import { rotateKey } from './rotate-key.ts';

/** `castellan key rotate`, on the running stack of this home. */
export const keyRotate = async (context: CommandContext): Promise<void> => {
  const { home, terminal } = context;
  const result = await rotateKey({
    home,
    say: terminal.say,
    stack: {
      // Away for a moment while it restarts, or for longer: the procedure itself knows how long to wait.
      status: () => askLocalApi(home, secretsHttp.status).catch(nullWhenAway),
      async reencrypt() {
        await askLocalApi(home, secretsHttp.reencrypt);
      },
      restartApi: () => restart(context, 'api'),
      backUp: () => backUp(home),
    },
  });
  if (result.outcome === 'stopped') throw new CommandFailure(result.detail);
  terminal.say(`Done: everything is sealed with key ${result.keyId}.`);
};

const nullWhenAway = (error: unknown): null => {
  if (error instanceof CommandFailure) return null;
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
