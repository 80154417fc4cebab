import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DataFolderMove, DataFolderNews } from '#contracts/desktop/desktop-data-folder.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { followMoves, writeMark } from '../data-folder/move-marks.ts';
import { smallHome, writeFiles } from '../testing/small-home.ts';
import { openDataFolder } from './data-folder-calls.ts';

const statusOf = (state: StackStatus['state'], database: StackStatus['components'][number]['state']) =>
  ({
    state,
    components: [{ name: 'postgres', state: database, reason: 'no rights' }],
  }) as unknown as StackStatus;

const openHome = async () => {
  const folder = await temporaryFolder('data-folder');
  const home = join(folder.path, 'old');
  await writeFiles(home, smallHome);
  const told: (DataFolderMove | null)[] = [];
  const reopened: (DataFolderNews | null)[] = [];
  let status = statusOf('running', 'running');
  const opened = (more: Partial<Parameters<typeof openDataFolder>[0]> = {}) =>
    openDataFolder({
      home,
      programsFolder: import.meta.dirname,
      variables: {},
      stack: {
        status: () => status,
        async stop() {
          status = statusOf('stopped', 'stopped');
        },
      },
      log: createLog({ component: 'test', destination: { write: () => undefined } }),
      isService: async () => false,
      askForFolder: async () => null,
      hindrance: () => null,
      tell: (move) => told.push(move),
      news: null,
      reopen: (news) => reopened.push(news),
      ...more,
    });
  return {
    home,
    target: join(folder.path, 'new'),
    told,
    reopened,
    opened,
    be: (next: StackStatus) => {
      status = next;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

// Guarantee: a database that cannot even be opened in its new folder runs from the old one again, with nothing lost; the copy
// is offered for deletion. Also when a command made the move, or the program was killed right after it.
test.each([true, false])('back to the old folder by itself, with news: %s', async (hasNews) => {
  await using made = await openHome();
  const { home, target, told, reopened, opened, be } = made;
  const first = opened();
  expect(await first.calls['dataFolder.move']({ folder: target })).toMatchObject({ outcome: 'fine' });
  await expect(first.calls['dataFolder.move']({ folder: target })).rejects.toThrow();
  await eventually(() => expect(reopened).toEqual([{ outcome: 'moved', detail: target }]));
  expect(told.map((move) => move?.step)).toEqual(expect.arrayContaining(['stop', 'copy', 'verify', 'start']));
  expect(await followMoves(home)).toBe(target);

  const second = opened({ home: target, news: hasNews ? { outcome: 'moved', detail: target } : null });
  await expect(second.calls['dataFolder.deleteKept'](undefined)).rejects.toThrow('can be deleted once');
  be(statusOf('failed', 'failed'));
  await second.noteStarted();
  expect(reopened.at(-1)).toEqual({ outcome: 'went-back', detail: 'no rights' });
  expect(await followMoves(target)).toBe(home);
  const third = opened();
  expect(await third.calls['dataFolder.state'](undefined)).toMatchObject({ home, half: target, kept: null });
  await third.calls['dataFolder.deleteHalf'](undefined);
  expect(existsSync(join(target, '.env'))).toBe(false);
});

// Guarantee: once the new database was opened, no start is led back to the old one, whatever fails.
test('not back once it was written to', async () => {
  await using made = await openHome();
  const { target, reopened, opened, be } = made;
  await opened().calls['dataFolder.move']({ folder: target });
  await eventually(() => expect(reopened).toHaveLength(1));
  await writeFiles(target, { 'postgres/data/global/pg_control': 'opened' });
  be(statusOf('failed', 'failed'));
  await opened({ home: target, news: { outcome: 'moved', detail: target } }).noteStarted();
  expect(reopened).toHaveLength(1);
  expect(await followMoves(target)).toBe(target);
});

// Guarantee: quitting in the middle cancels the move first, and nothing of it is left.
test('quitting in the middle', async () => {
  await using made = await openHome();
  const { home, target, reopened, opened } = made;
  const data = opened();
  await data.calls['dataFolder.move']({ folder: target });
  await data[Symbol.asyncDispose]();
  expect(reopened).toEqual([{ outcome: 'cancelled', detail: target }]);
  expect(await followMoves(home)).toBe(home);
  expect(existsSync(target)).toBe(false);
});

// Guarantee: nothing moves into a folder that is being deleted, and nothing is deleted during a move.
test('one at a time', async () => {
  await using made = await openHome();
  const { home, target, reopened, opened } = made;
  await writeFiles(target, smallHome);
  await writeMark(home, 'moving', target);
  await writeMark(target, 'unfinished', home);
  const data = opened();
  const deleting = data.calls['dataFolder.deleteHalf'](undefined);
  await expect(data.calls['dataFolder.deleteHalf'](undefined)).rejects.toThrow('being deleted');
  expect(await deleting).toMatchObject({ half: null });
  await data.calls['dataFolder.move']({ folder: `${target}/../new/` });
  await expect(data.calls['dataFolder.deleteHalf'](undefined)).rejects.toThrow('being moved');
  // The path as it is written into the marks.
  await eventually(() => expect(reopened).toEqual([{ outcome: 'moved', detail: target }]));
});

// Guarantee: a data folder that the desktop must not move is refused before anything is stopped.
test('not here', async () => {
  await using made = await openHome();
  const { home, target, opened } = made;
  const asService = opened({ isService: async () => true });
  await expect(asService.calls['dataFolder.move']({ folder: target })).rejects.toThrow('Windows Services');
  const named = opened({ variables: { CASTELLAN_HOME: home } });
  await expect(named.calls['dataFolder.move']({ folder: target })).rejects.toThrow('CASTELLAN_HOME');
  expect(await named.calls['dataFolder.state'](undefined)).toMatchObject({ fixedBy: 'environment' });
});
