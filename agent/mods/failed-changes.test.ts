import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type ProcessReport, taskResult } from '#contracts/servers/agent-tasks.ts';
import { openChange, readChange } from './change-journal.ts';
import { readManifest } from './manifest.ts';
import { type ModdedServer, moddedServer, testPower } from './testing/modded-server.ts';

// Guarantee: a file that is in the way, or brought twice, is refused with a message, and nothing changes.
test.each([
  {
    name: 'a foreign file',
    async arrange({ root, library }: ModdedServer) {
      const item = await library.jar('One', '1');
      await mkdir(join(root, 'mods'));
      await writeFile(join(root, 'mods/One-1.jar'), 'by hand');
      return { put: [item] };
    },
    says: /in the way of One/,
  },
  {
    name: 'a foreign file with other capital letters',
    async arrange({ root, library }: ModdedServer) {
      const [item, other] = [await library.jar('One', '1'), await library.jar('ONE', '1')];
      await mkdir(join(root, 'mods'));
      return { put: [item, other] };
    },
    says: /both bring mods\/ONE-1\.jar/,
  },
  {
    name: 'two mods with one file',
    async arrange({ library }: ModdedServer) {
      const item = await library.jar('One', '1');
      const pack = await library.archive('Pack', '1', 'pack', { 'mods/One-1.jar': 'x', 'config/a': 'y' });
      return { put: [item, pack] };
    },
    says: /Pack and One both bring mods\/One-1\.jar/,
  },
  {
    name: 'a folder in the way',
    async arrange({ root, library }: ModdedServer) {
      const item = await library.jar('One', '1');
      await mkdir(join(root, 'mods/One-1.jar'), { recursive: true });
      return { put: [item] };
    },
    says: /no plain file/,
  },
  {
    name: 'a folder for mods that is a link',
    async arrange({ root, library }: ModdedServer) {
      const item = await library.jar('One', '1');
      await mkdir(join(root, '../elsewhere'));
      await symlink(join(root, '../elsewhere'), join(root, 'mods'));
      return { put: [item] };
    },
    says: /is a link/,
  },
  {
    name: 'another revision',
    async arrange({ library }: ModdedServer) {
      return { base: 3, put: [await library.jar('One', '1')] };
    },
    says: /changed in the meantime/,
  },
  {
    name: 'a mod that is not there',
    arrange: async () => ({ remove: ['modrinth:None'] }),
    says: /not one of this server's mods/,
  },
  {
    name: 'a form that the game does not take',
    async arrange({ library }: ModdedServer) {
      return { put: [await library.archive('Seven', '1', 'folders', { 'X/ModInfo.xml': '<xml/>' })] };
    },
    says: /takes no mods such as Seven/,
  },
  {
    name: 'an archive that is no pack',
    async arrange({ library }: ModdedServer) {
      return { put: [await library.archive('Pack', '1', 'pack', { 'readme.txt': 'hello' })] };
    },
    says: /cannot be installed/,
  },
])('refused: $name', async ({ arrange, says }) => {
  const server = await moddedServer();
  const change = await arrange(server);
  const before = await server.files();
  const result = await server.change(change);
  expect(result).toMatchObject({
    outcome: 'refused',
    detail: expect.stringMatching(says),
    set: 'old',
    revision: 0,
  });
  expect((await readChange(server.stateFolder))?.result?.outcome ?? 'refused').toBe('refused');
  expect(await server.files()).toEqual(before);
  expect(await readManifest(server.stateFolder)).toMatchObject({ revision: 0, items: [] });
  expect(await openChange(server.stateFolder)).toBeNull();
});

// Guarantee: a set that does not pass its rehearsal is not put in place, and the game's lines say why.
test('rehearsed', async () => {
  const says: string[][] = [];
  const server = await moddedServer({
    rehearsal: {
      whyNot: async () => null,
      async run({ moves }) {
        says.push(moves.map(({ place }) => relative(server.root, place)));
        return { passed: false, why: 'It did not come up.', lines: ['Incompatible mods found!'] };
      },
    },
  });
  const before = await server.files();
  const put = [await server.library.jar('One', '1')];
  expect(await server.change({ put, rehearse: true })).toMatchObject({
    outcome: 'failed',
    detail: 'It did not come up. Nothing was changed.',
    set: 'old',
    failedAt: 'rehearse',
    lines: ['Incompatible mods found!'],
    isRolledBack: false,
  });
  expect(says).toEqual([['mods/One-1.jar']]);
  expect(await server.files()).toEqual(before);
});

// Guarantee: a game that is started by hand while files are prepared ends the change with the old set and a message.
test('a game that is started by hand in the middle', async () => {
  let looks = 0;
  const server = await moddedServer({
    whyNotStopped: async () => {
      looks += 1;
      return looks === 1 ? null : 'Something listens at the game’s console.';
    },
  });
  const before = await server.files();
  expect(await server.change({ put: [await server.library.jar('One', '1')] })).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('Something listens'),
    set: 'old',
    revision: 0,
    failedAt: 'swap',
  });
  expect(await server.files()).toEqual(before);
});

// Guarantee: a start that people request just before the swap ends the change with the old set.
test('a start that is under way', async () => {
  let state: ProcessReport['state'] = 'stopped';
  const server = await moddedServer({
    power: testPower(() => state),
    backUp: async () => {
      state = 'starting';
    },
  });
  const before = await server.files();
  expect(await server.change({ put: [await server.library.jar('One', '1')], backup: true })).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('The game is not down'),
    set: 'old',
    failedAt: 'swap',
  });
  expect(await server.files()).toEqual(before);
});

// Guarantee: a start by the agent itself that is not reported yet ends the change with the old set.
test('a start that is not reported yet', async () => {
  const power = testPower(() => 'stopped');
  const server = await moddedServer({
    power: { ...power, lookNow: async () => ({ ...power.report(), state: 'running' }) },
  });
  const before = await server.files();
  expect(await server.change({ put: [await server.library.jar('One', '1')] })).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('The game is not down'),
    set: 'old',
    failedAt: 'swap',
  });
  expect(await server.files()).toEqual(before);
});

// Guarantee: a change can be cancelled until the first file has been swapped.
test('cancelled', async () => {
  const cancelling = new AbortController();
  const server = await moddedServer({ backUp: async () => cancelling.abort() });
  const before = await server.files();
  const item = await server.library.jar('One', '1');
  expect(await server.change({ put: [item], backup: true }, cancelling.signal)).toMatchObject({
    outcome: 'cancelled',
    set: 'old',
    revision: 0,
    failedAt: 'backup',
  });
  expect(await server.files()).toEqual(before);
});

// Guarantee: if the watch itself fails, nothing is proven, and the old set is put back.
test('a watch that breaks', async () => {
  let state: ProcessReport['state'] = 'running';
  const acts: string[] = [];
  const server = await moddedServer({
    power: testPower(
      () => state,
      (action) => {
        acts.push(action);
        state = action === 'start' ? 'running' : 'stopped';
        return 'done';
      },
    ),
    console: {
      obstacle: async () => null,
      run: () => Promise.reject(new TypeError('a fault of the program')),
    },
  });
  const before = await server.files();
  expect(await server.change({ put: [await server.library.jar('One', '1')] })).toMatchObject({
    outcome: 'failed',
    set: 'old',
    revision: 0,
    isRolledBack: true,
    failedAt: 'watch',
  });
  expect(acts).toEqual(['stop', 'start', 'stop', 'start']);
  expect(await server.files()).toEqual(before);
  expect(await openChange(server.stateFolder)).toBeNull();
});

// Guarantee: whatever a game has written last, the result fits into a frame, with its newest lines and the set that is in place.
test('a result with many long lines', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `${at} ${'\u{1b}世界\u{1f600}'.repeat(400)}`);
  const server = await moddedServer({
    rehearsal: { whyNot: async () => null, run: async () => ({ passed: false, why: 'It ended.', lines }) },
  });
  const put = [await server.library.jar('One', '1')];
  const result = await server.change({ put, rehearse: true });
  expect(result).toMatchObject({ outcome: 'failed', set: 'old', failedAt: 'rehearse' });
  expect(result.lines?.at(-1)).toMatch(/^59 /);
  expect(result.lines?.every((line) => line.isWellFormed())).toBe(true);
  expect(
    taskResult.safeParse({ outcome: 'failed', detail: null, value: { lines: result.lines } }).success,
  ).toBe(true);
});

// Guarantee: if one file cannot be swapped, all of them are as before, whichever file it is.
test('a rename that fails', { tags: 'mount' }, async () => {
  for (const at of ['config/0', 'config/1', 'config/2']) {
    const server = await moddedServer();
    const files = (version: string) =>
      Object.fromEntries([0, 1, 2].map((number) => [`config/${number}/file`, `${number} ${version}`]));
    const pack = (version: string) =>
      server.library.archive('Pack', version, 'pack', { 'mods/core.jar': version, ...files(version) });
    await server.change({ put: [await pack('1')] });
    const before = await server.files();
    const place = join(server.root, at);
    execFileSync('mount', ['--bind', place, place]);
    execFileSync('mount', ['-o', 'remount,bind,ro', place]);
    try {
      const result = await server.change({ base: 1, put: [await pack('2')] });
      expect(result).toMatchObject({ set: 'old', revision: 1 });
      expect(['failed', 'refused']).toContain(result.outcome);
      expect(await server.files()).toEqual(before);
      expect(await openChange(server.stateFolder)).toBeNull();
    } finally {
      execFileSync('umount', [place]);
    }
    expect(await server.change({ base: 1, put: [await pack('2')] })).toMatchObject({
      set: 'new',
      revision: 2,
    });
  }
});

// Guarantee: in a read-only folder nothing changes, and the message says why.
test('a folder that can only be read', { tags: 'mount' }, async () => {
  const server = await moddedServer();
  const item = await server.library.jar('One', '1');
  const before = await server.files();
  execFileSync('mount', ['--bind', server.root, server.root]);
  execFileSync('mount', ['-o', 'remount,bind,ro', server.root]);
  try {
    expect(await server.change({ put: [item] })).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('the disk can only be read'),
      set: 'old',
      revision: 0,
    });
  } finally {
    execFileSync('umount', [server.root]);
  }
  expect(await server.files()).toEqual(before);
  expect(await server.change({ put: [item] })).toMatchObject({ set: 'new' });
});
