import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { installer, releasePath, setUpUpdates } from '#harness/updates-setting.ts';
import { noteReadsAnyLetter, unreadableHome } from './unreadable-home.ts';

// Guarantee: nothing is installed without a backup, from a file that was changed after it was verified, or while a process of
// ours is left; the next start reports what prevented it.
test('not installed', async () => {
  await using setting = await setUpUpdates();
  const { server, record, installed, folder } = setting;
  await server.publish({ version: '0.2.0', installer });
  let isBackedUp = false;
  const updates = await setting.open({
    processes: () => [{ name: 'postgres', pid: process.pid }],
    backUp: async () => {
      if (!isBackedUp) throw new Error('no space left');
      return null;
    },
    leave: (task) => void task(),
    goneWithinMs: 300,
  });
  await updates.check();
  await updates.download();
  await updates.install();
  expect(updates.state()).toMatchObject({
    step: 'ready',
    trouble: { code: 'backup', detail: 'no space left' },
  });
  expect(record.now().pending).toBeNull();
  isBackedUp = true;
  await updates.install();
  await eventually(() =>
    expect(record.now().pending?.failure).toBe(`Still running: postgres (process ${process.pid}).`),
  );
  expect(installed).toEqual([]);
  const again = await setting.open();
  await again.check();
  expect(again.state().step).toBe('ready');
  await writeFile(join(folder, 'kept/0.2.0/Castellan-0.2.0.AppImage'), changedLike(installer));
  await again.install();
  expect(again.state()).toMatchObject({ step: 'found', trouble: { code: 'damaged' } });
  expect(installed).toEqual([]);
});

const changedLike = (bytes: Buffer): Buffer => {
  const changed = Buffer.from(bytes);
  changed[7] = (changed[7] ?? 0) ^ 1;
  return changed;
};

// Guarantee: the program does not quit in the middle of something that must not be interrupted, even when that began during
// the backup; and once it is quitting, nothing else begins.
test('hindered', async () => {
  await using setting = await setUpUpdates();
  const { server, installed, record } = setting;
  await server.publish({ version: '0.2.0', installer });
  let hindrance: string | null = 'it is being moved';
  let backups = 0;
  const left: unknown[] = [];
  const updates = await setting.open({
    hindrance: () => hindrance,
    backUp: async () => {
      backups += 1;
      if (backups === 1) hindrance = 'it is being moved';
      return null;
    },
    leave: (task) => void left.push(task),
  });
  await updates.check();
  await updates.download();
  const expectBusy = async () => {
    await updates.install();
    expect(updates.state()).toMatchObject({
      step: 'ready',
      trouble: { code: 'busy', detail: 'it is being moved' },
    });
    expect(record.now().pending).toBeNull();
  };
  await expectBusy();
  expect(backups).toBe(0);
  hindrance = null;
  await expectBusy();
  expect(backups).toBe(1);
  hindrance = null;
  await updates.install();
  expect(updates.state().step).toBe('leaving');
  await expect(async () => updates.check()).rejects.toThrow('already in progress');
  await expect(async () => updates.install()).rejects.toThrow();
  await updates.setMode('off');
  expect(updates.state().step).toBe('leaving');
  expect([left.length, installed]).toEqual([1, []]);
});

// Guarantee: what cannot be written down is not begun, and not reported as begun later on.
test('no room for the record', async () => {
  await using setting = await setUpUpdates();
  const { server, record, folder } = setting;
  await server.publish({ version: '0.2.0', installer });
  const left: unknown[] = [];
  const updates = await setting.open({ leave: (task) => void left.push(task) });
  await updates.check();
  await updates.download();
  const file = join(folder, 'updates.json');
  await rm(file);
  await mkdir(join(file, 'in the way'), { recursive: true });
  await updates.install();
  expect(updates.state()).toMatchObject({ step: 'ready', trouble: { code: 'disk' } });
  expect([left.length, record.now().pending]).toEqual([0, null]);
  await rm(file, { recursive: true });
  await updates.install();
  expect([left.length, record.now().pending?.to]).toEqual([1, '0.2.0']);
});

// Guarantee: going back does not wait for a server, and is done once.
test('going back while something is asked', async () => {
  await using setting = await setUpUpdates();
  const { server, updates, record } = setting;
  await server.publish({ version: '0.1.0', installer });
  await server.publish({ version: '0.2.0', installer });
  await updates.check();
  await updates.download();
  const left: unknown[] = [];
  const later = await setting.open({ installed: '0.2.0', leave: (task) => void left.push(task) });
  await later.lookedBack;
  const asked = Promise.withResolvers<void>();
  server.instead(releasePath, () => asked.resolve());
  const checking = later.check();
  await asked.promise;
  await Promise.allSettled([later.goBack(), later.goBack()]);
  await checking;
  expect(left.length).toBe(1);
  expect(later.state()).toMatchObject({ step: 'leaving', trouble: null });
  expect(record.now().pending).toMatchObject({ kind: 'way-back', to: '0.1.0' });
});

// Guarantee: a version that passes paths to Postgres in the machine's code page does not replace one whose data folder it could not
// open; a version that opens it has noted that itself.
test.each([
  { home: 'D:\\ゲーム\\表示', codePage: 932, cut: '表' },
  { home: 'D:\\ゲーム\\表示', codePage: 1252, cut: 'ゲ ー ム 表 示' },
  { home: 'D:\\Spiele für Jörg', codePage: 1252, cut: null },
  { home: 'D:\\ゲーム', codePage: 932, cut: null },
  { home: 'D:\\表示', codePage: 65_001, cut: null },
  { home: 'D:\\表示', codePage: null, cut: null },
])(
  'back to a version that opens $home on $codePage: not because of $cut',
  async ({ home, codePage, cut }) => {
    await using setting = await setUpUpdates();
    const { server, updates, record } = setting;
    await server.publish({ version: '0.1.0', installer });
    await server.publish({ version: '0.2.0', installer });
    await updates.check();
    await updates.download();
    const left: unknown[] = [];
    const later = await setting.open({
      installed: '0.2.0',
      unreadable: (version) => unreadableHome(version, { home, record, codePage: async () => codePage }),
      leave: (task) => void left.push(task),
    });
    await later.lookedBack;
    await noteReadsAnyLetter(record, '0.2.0');
    await later.goBack();
    expect(left).toHaveLength(cut === null ? 1 : 0);
    if (cut === null) return;
    expect(later.state()).toMatchObject({
      wayBack: '0.1.0',
      trouble: {
        code: 'letters',
        detail: `Castellan 0.1.0 cannot open ${home}, because of these letters: ${cut}`,
      },
    });
    expect(record.now().pending).toBeNull();
    await noteReadsAnyLetter(record, '0.1.0');
    await later.goBack();
    expect([left.length, record.now().readsAnyLetter]).toEqual([1, ['0.1.0', '0.2.0']]);
  },
);

// Guarantee: the result of an update is shown until it was read, and not again after that; a version on trial stays on trial.
test('read', async () => {
  await using setting = await setUpUpdates();
  const { record } = setting;
  const outcome = { kind: 'not-installed', from: '0.1.0', to: '0.2.0', backup: null, detail: null } as const;
  const pending = {
    kind: 'update',
    from: '0.1.0',
    to: '0.2.0',
    begunAt: new Date().toISOString(),
    backup: null,
    answered: [],
    starts: 0,
    failure: null,
  } as const;
  await record.change({ pending: { ...pending, answered: [] }, outcome });
  await setting.updates.dismiss();
  expect(record.now()).toMatchObject({ pending: null, outcome: null });
  await record.change({ pending: { ...pending, answered: [] } });
  const newer = await setting.open({ installed: '0.2.0' });
  await newer.dismiss();
  expect(record.now().pending).toMatchObject({ to: '0.2.0' });
});
