import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { modIdsFile, modsMarkFault, readModIds, withModIds } from './mods-mark.ts';
import { endLaunched, holderProgram } from './testing/test-power.ts';
import { openHolderWay } from './ways/holder-way.ts';

test.each([
  ['ids', '-mods={mods}', ['1', '2'], ['-mods=1,2']],
  ['no ids: the argument would have no value', '-mods={mods}', [], []],
  ['the mark alone', '{mods}', [], []],
  ['behind ids of the owner', '-mods=9,{mods}', ['1'], ['-mods=9,1']],
  ['behind ids of the owner, without any', '-mods=9,{mods}', [], ['-mods=9']],
  ['before ids of the owner, without any', '-mods={mods},9', [], ['-mods=9']],
  ['within another argument', 'TheIsland_WP?x=1?GameModIds={mods}', ['7'], ['TheIsland_WP?x=1?GameModIds=7']],
  ['no mark', '-server', ['1'], ['-server']],
])('%s', (_, arg, ids, expected) => {
  expect(withModIds(['game', arg, '-log'], ids)).toEqual(['game', ...expected, '-log']);
});

// Guarantee: only ids ever become arguments, and with an untrustworthy list no game starts without its mods.
test.each([
  ['no list yet', null, []],
  ['a list', '["933588","940975"]', ['933588', '940975']],
  ['an empty list', '[]', []],
])('%s is read', async (_, content, expected) => {
  await using folder = await temporaryFolder('mod-ids');
  const path = modIdsFile(folder.path);
  await mkdir(join(folder.path, 'mods'));
  if (content !== null) await writeFile(path, content);
  expect(await readModIds(path)).toEqual(expected);
});

test.each([
  ['half of a list', '["9335'],
  ['an empty file', ''],
  ['an argument', '["1 -exec=x"]'],
  ['numbers', '[933588]'],
  ['another thing', '{"ids":["1"]}'],
  ['a huge file', `["${'1'.repeat(20)}"${' '.repeat(70_000)}]`],
])('%s is refused', async (_, content) => {
  await using folder = await temporaryFolder('mod-ids');
  await mkdir(join(folder.path, 'mods'));
  await writeFile(modIdsFile(folder.path), content);
  await expect(readModIds(modIdsFile(folder.path))).rejects.toThrow('is damaged');
});

// Guarantee: each start uses the ids that are written at that time, and a damaged list starts nothing.
test('a start with the mark', { timeout: 60_000 }, async () => {
  const folder = await temporaryFolder('mod-ids');
  const path = join(folder.path, 'start.sh');
  await writeFile(path, '#!/bin/bash\necho "$*" >> arguments\nexec sleep 1000\n');
  await chmod(path, 0o755);
  await mkdir(join(folder.path, 'mods'));
  const way = await openHolderWay({
    powerFolder: join(folder.path, 'power'),
    server: { folder: folder.path },
    start: { by: 'holder', command: ['./start.sh', '-mods={mods}', '-log'], account: null },
    program: holderProgram,
    modIds: () => readModIds(modIdsFile(folder.path)),
  });
  onTestFinished(async () => {
    await way[Symbol.asyncDispose]();
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const started = () => readFile(join(folder.path, 'arguments'), 'utf8').catch(() => '');
  expect(await way.start('first')).toBeNull();
  await eventually(async () => expect(await started()).toBe('-log\n'));
  await way.look();
  await way.kill();
  await eventually(async () => expect((await way.look()).is).toBe('ended'));
  await writeFile(modIdsFile(folder.path), '["933588","940975"]');
  expect(await way.start('second')).toBeNull();
  await eventually(async () => expect(await started()).toBe('-log\n-mods=933588,940975 -log\n'));
  await way.look();
  await way.kill();
  await eventually(async () => expect((await way.look()).is).toBe('ended'));
  await writeFile(modIdsFile(folder.path), '["9335');
  expect((await way.start('third'))?.detail).toContain('is damaged');
  expect(await started()).toBe('-log\n-mods=933588,940975 -log\n');
});

test.each([
  ['ark-asa', ['game', '-mods={mods}'], true, null],
  ['ark-asa', ['game', '-mods=1'], true, 'has no {mods}'],
  ['ark-asa', ['game', '-mods=1'], false, null],
  ['ark-asa', ['{mods}'], false, 'name of the program'],
  ['ark-se', ['game', '-mods={mods}'], false, 'Take it out'],
  ['minecraft', ['java', '-jar', 'server.jar'], true, null],
] as const)('%s %j', (game, command, mods, fault) => {
  const found = modsMarkFault(game, { start: { by: 'holder', command: [...command] }, allow: { mods } });
  if (fault === null) expect(found).toBeNull();
  else expect(found).toContain(fault);
});

test('a service takes no mark', () => {
  expect(modsMarkFault('ark-asa', { start: { by: 'systemd' }, allow: { mods: true } })).toContain('holder');
});
