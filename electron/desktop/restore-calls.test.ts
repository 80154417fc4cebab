import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RestoreNews, RestoreProgress } from '#contracts/desktop/desktop-restore.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { manifestText } from '#runtime/backup/backup-manifest.ts';
import { beginSwap, finishSwap } from '#runtime/backup/restore-journal.ts';
import { createLog } from '#runtime/log.ts';
import { version } from '#runtime/version.ts';
import { writeFiles } from '../testing/small-home.ts';
import { openDesktopRestore } from './restore-calls.ts';

const manifest = manifestText({
  ...{ owner: 'castellan', kind: 'manual', takenAt: '2026-01-02T03:04:05.000Z', reason: 'castellan backup' },
  cause: { kind: 'command', command: 'castellan backup' },
  ...{ version: '0.0.9', postgres: '18.4', system: 'linux-x64', database: 'castellan', files: ['.env'] },
  ...{ bytes: 1, proof: { migrations: [], rows: {} } },
});

const dataOf = (text: string) => ({
  '.env': `SECRET=${text}\n`,
  'postgres/superuser.password': text,
  'postgres/data/PG_VERSION': '18\n',
  'postgres/data/rows': text,
});

/** A data folder after a restore, with a backup that is not whole. */
const openHome = async () => {
  const folder = await temporaryFolder('restore');
  const home = join(folder.path, 'home');
  await writeFiles(home, dataOf('before'));
  await writeFiles(join(home, 'restore.ready'), dataOf('restored'));
  await beginSwap(home, {
    ...{ from: null, replaced: 'replaced-one', at: '2026-02-01T00:00:00.000Z', version },
    items: ['.env', join('postgres', 'superuser.password'), join('postgres', 'data')],
    takenAt: '2026-01-02T03:04:05.000Z',
  });
  await finishSwap(home);
  await mkdir(join(home, 'backups', 'half'), { recursive: true });
  await writeFile(join(home, 'backups', 'half', 'backup.json'), manifest);
  const told: (RestoreProgress | null)[] = [];
  const reopened: RestoreNews[] = [];
  let state: StackStatus['state'] = 'running';
  const opened = (more: Partial<Parameters<typeof openDesktopRestore>[0]> = {}) =>
    openDesktopRestore({
      home,
      stack: {
        status: () => ({ state }) as StackStatus,
        async stop() {
          state = 'stopped';
        },
      },
      log: createLog({ component: 'test', destination: { write: () => undefined } }),
      startGuardian: () => ({
        watch: () => undefined,
        forget: () => undefined,
        [Symbol.dispose]: () => undefined,
      }),
      isService: async () => false,
      hindrance: () => null,
      tell: (progress) => told.push(progress),
      news: null,
      reopen: (news) => reopened.push(news),
      ...more,
    });
  return { home, told, reopened, opened, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
};

// Guarantee: backups and what was kept are listed without the API; a backup that cannot be restored changes nothing, and the desktop
// opens again and says why.
test('a backup that is not whole', async () => {
  await using made = await openHome();
  const { calls } = made.opened();
  expect(await calls['restore.state'](undefined)).toMatchObject({
    ...{ heldBy: null, obstacle: null, isDeletable: true, news: null },
    backups: [
      {
        ...{ name: 'half', version: '0.0.9', isDatedAhead: false },
        ...{ hasChecksums: true, checkedAt: null, fault: null },
      },
    ],
    kept: [{ name: 'replaced-one', takenAt: '2026-01-02T03:04:05.000Z' }],
  });
  await expect(calls['restore.begin']({ name: 'gone' })).rejects.toThrow('not there any more');
  await calls['restore.begin']({ name: 'half' });
  await expect(calls['restore.begin']({ name: 'half' })).rejects.toThrow('already being restored');
  await eventually(() =>
    expect(made.reopened).toMatchObject([
      { outcome: 'failed', detail: expect.stringContaining('checksums') },
    ]),
  );
  expect(new Set(made.told.map((progress) => progress?.step))).toEqual(new Set(['stop', 'check']));
  expect(await readFile(join(made.home, '.env'), 'utf8')).toBe('SECRET=restored\n');
});

// Guarantee: one click goes back to before a restore, and another one forward again: what is replaced is kept each time.
test('there and back', async () => {
  await using made = await openHome();
  const env = () => readFile(join(made.home, '.env'), 'utf8');
  await made.opened().calls['restore.goBack']({ name: 'replaced-one' });
  await eventually(() => expect(made.reopened).toEqual([{ outcome: 'went-back', detail: null }]));
  expect(await env()).toBe('SECRET=before\n');
  const again = made.opened();
  const { kept } = await again.calls['restore.state'](undefined);
  expect(kept).toMatchObject([{ takenAt: null }]);
  await again.calls['restore.goBack']({ name: kept[0]?.name ?? '' });
  await eventually(() => expect(made.reopened).toHaveLength(2));
  expect(await env()).toBe('SECRET=restored\n');
});

// Guarantee: nothing is restored where Windows Services run the data folder, or while it is moved; what was kept is deleted only once
// everything runs, and wholly.
test('what is refused', async () => {
  await using made = await openHome();
  const services = made.opened({ isService: async () => true });
  for (const act of ['restore.begin', 'restore.goBack', 'restore.deleteKept'] as const)
    await expect(services.calls[act]({ name: 'half' })).rejects.toThrow('castellan services uninstall');
  const moving = made.opened({ hindrance: () => 'The data folder is being moved.' });
  await expect(moving.calls['restore.begin']({ name: 'half' })).rejects.toThrow('being moved');
  const stopped = made.opened({
    stack: { status: () => ({ state: 'failed' }) as StackStatus, stop: async () => undefined },
  });
  await expect(stopped.calls['restore.deleteKept']({ name: 'replaced-one' })).rejects.toThrow(
    'once everything runs',
  );
  const { kept } = await made.opened().calls['restore.deleteKept']({ name: 'replaced-one' });
  expect(kept).toEqual([]);
  expect((await readdir(made.home)).filter((name) => name.includes('replaced'))).toEqual([]);
});
