import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type BackupsStatus, backupsHttp } from '#contracts/operations/backups.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { call } from '../../../kernel/testing/call.ts';
import { startTestApi, testDesktopCredential } from '../../../kernel/testing/test-api.ts';
import { openTestCluster } from '../../../kernel/testing/test-cluster.ts';

export const owner = { as: testDesktopCredential };
const takenMs = 120_000;

export const statusOf = async (port: number): Promise<BackupsStatus> =>
  backupsHttp.status.response.parse((await call(port, backupsHttp.status, owner)).json);

/** Waits for the backup that is being taken. */
export const whenTaken = async (port: number): Promise<BackupsStatus> => {
  await eventually(async () => expect((await statusOf(port)).runningSince).toBeNull(), takenMs);
  return statusOf(port);
};

export const takeBackup = async (port: number): Promise<BackupsStatus> => {
  await call(port, backupsHttp.take, owner);
  return whenTaken(port);
};

/** A clock that jumps after the API has asked it for the first time: a night is missed as soon as the API runs. */
export const nextNight = (aheadMs: number): (() => number) => {
  let reads = 0;
  return () => {
    reads += 1;
    return Date.now() + (reads > 1 ? aheadMs : 0);
  };
};

/** A data folder with an `.env` and a running database of its own. */
export const backedUpHome = async () => {
  const home = await temporaryFolder('backups');
  const folder = join(home.path, 'backups');
  await writeFile(join(home.path, '.env'), 'SECRET=kept\n', { mode: 0o600 });
  const postgres = await openTestCluster(home.path, await freePort());
  await postgres.start();
  return {
    path: home.path,
    /** Where its backups go. */
    folder,
    postgres,
    startApi: (now?: () => number) =>
      startTestApi({ databaseUrl: postgres.databaseUrl, home: home.path, ...(now && { now }) }),
    /** Enough of two nightly backups of 2020, by a version that wrote no checksums, to be listed; one is outdated. */
    async writeOutdated(model: string) {
      const manifest = JSON.parse(await readFile(join(folder, model, 'backup.json'), 'utf8'));
      for (const [name, takenAt] of [
        ['outdated', '2020-01-02T03:30:00.000Z'],
        ['newer', '2020-01-02T04:30:00.000Z'],
      ] as const) {
        await mkdir(join(folder, name));
        const text = JSON.stringify({ ...manifest, checksums: undefined, takenAt, kind: 'nightly' });
        await writeFile(join(folder, name, 'backup.json'), text);
      }
    },
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
};
export type BackedUpHome = Awaited<ReturnType<typeof backedUpHome>>;
