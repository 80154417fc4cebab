import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropTemplate, initializeCluster } from '#harness/initialized-cluster.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { keyRecordName } from '../../key-record.ts';
import { backupsFolder } from '../../postgres/backup.ts';
import { openCluster } from '../../postgres/cluster.ts';
import { Secret } from '../../secret.ts';
import { backUpHome } from '../keep-backups.ts';
import { clusterFolder } from '../take-full-backup.ts';

/** What `contentOf` returns for a data folder restored from a backup of `homeToBackUp`. */
export const asBackedUp = {
  players: 1000,
  newest: 1000,
  env: 'SECRET=of the backup\n',
  license: '{"of":"the backup"}',
};

export const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** The contents of a restored data folder: the players of its database, and its files. */
export const contentOf = async (where: string) => {
  const restored = await openCluster({
    folder: clusterFolder(where),
    port: await freePort(),
    settings: { fsync: 'off' },
  });
  await restored.start();
  const client = await restored.connect('app');
  const { rows } = await client.query('select count(*)::int as players, max(n) as newest from players');
  await client.end();
  await restored.stop();
  const text = (name: string) => readFile(join(where, name), 'utf8').catch(() => null);
  return { ...rows[0], env: await text('.env'), license: await text('license.json') };
};

/** A data folder in a temporary folder with a running database of a thousand players, an `.env` and a license. */
export const homeToBackUp = async () => {
  const temporary = await temporaryFolder('backup');
  const home = join(temporary.path, 'home');
  await mkdir(home, { mode: 0o711 });
  await writeFile(join(home, '.env'), asBackedUp.env, { mode: 0o644 });
  await writeFile(join(home, 'license.json'), asBackedUp.license, { mode: 0o600 });
  await initializeCluster(clusterFolder(home));
  const cluster = await openCluster({
    folder: clusterFolder(home),
    port: await freePort(),
    settings: { fsync: 'off' },
  });
  const postmaster = await cluster.start();
  const server = await cluster.connect();
  await server.query('create database app');
  await dropTemplate(server, 'template1');
  await server.end();
  const inApp = async (...statements: string[]): Promise<unknown[]> => {
    const client = await cluster.connect('app');
    try {
      let rows: unknown[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  await inApp(
    'create table schema_migrations (name text)',
    "insert into schema_migrations values ('0001-first'), ('0002-second')",
    'create table players (n int primary key)',
    'insert into players select generate_series(1, 1000)',
  );
  const password = encodeURIComponent(cluster.superuserPassword.reveal());
  const databaseUrl = new Secret(`postgresql://postgres:${password}@127.0.0.1:${cluster.port}/app`);
  return {
    /** The temporary folder that holds the data folder. */
    path: temporary.path,
    home,
    cluster,
    postmaster,
    databaseUrl,
    inApp,
    backUp: (
      more: {
        folder?: string;
        databaseUrl?: Secret;
        answerDeadlineMs?: number;
        silenceMs?: number;
        signal?: AbortSignal;
      } = {},
    ) =>
      backUpHome({
        owner: 'castellan',
        home,
        files: ['.env', keyRecordName, 'license.json', 'not-there.json'],
        databaseUrl,
        folder: backupsFolder(home),
        kind: 'manual',
        cause: { kind: 'other', text: 'test' },
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await cluster.stop();
      await temporary[Symbol.asyncDispose]();
    },
  };
};
export type HomeToBackUp = Awaited<ReturnType<typeof homeToBackUp>>;
