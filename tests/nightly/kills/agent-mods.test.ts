import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAccount } from '#harness/test-account.ts';
import { startModdedHeldServer } from '../../mods-kills/modded-held-server.ts';
import { runKills } from '../../mods-kills/run-kills.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 18);

// Guarantee: after a kill -9 at any instant of an install, an update or a removal, agent and game end with the complete old set or
// the complete new one, and the result says which.
test('killed while mods change', { timeout: 600_000 }, async () => {
  await using folder = await temporaryFolder('mods-kills');
  const { ends, wrong } = await runKills({ folder: folder.path, kills: 12, seed, say: () => undefined });
  process.stdout.write(`mods: 12 kills, seed ${seed}: ${JSON.stringify(ends)}\n`);
  expect(wrong).toEqual([]);
});

// Guarantee: the same if another account owns the folder and a process with its rights works there, which is killed, too.
test.skipIf(process.getuid?.() !== 0)(
  "killed while mods change in an account's folder",
  { timeout: 600_000 },
  async () => {
    await using folder = await temporaryFolder('mods-kills');
    await using account = await testAccount();
    const options = { folder: folder.path, kills: 8, seed, account, say: () => undefined };
    const { ends, wrong } = await runKills(options);
    process.stdout.write(`mods of an account: 8 kills, seed ${seed}: ${JSON.stringify(ends)}\n`);
    expect(wrong).toEqual([]);
  },
);

const started = async () => {
  const folder = await temporaryFolder('mods');
  const it = await startModdedHeldServer(folder.path);
  onTestFinished(async () => {
    await it[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  await it.isUp();
  return it;
};

// Guarantee: a mod that prevents the game from starting is rolled back automatically: the game runs with the old set, and its last
// lines say why.
test('a mod that makes the game crash at start', { timeout: 120_000 }, async () => {
  const it = await started();
  const good = await it.library.jar('Alpha', '1');
  expect(await it.resultOf(it.send({ put: [good] }))).toMatchObject({
    outcome: 'done',
    changed: { set: 'new', revision: 1, health: 'proven' },
  });
  const before = await it.files();
  const bad = await it.library.jar('Crash', '1');
  const newer = await it.library.jar('Alpha', '2');
  const { outcome, detail, changed } = await it.resultOf(it.send({ base: 1, put: [bad, newer] }));
  expect({ outcome, detail, changed }).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('The old mods were put back.'),
    changed: { set: 'old', revision: 1, isRolledBack: true, health: 'failed', failedAt: 'start', notes: [] },
  });
  expect(changed?.lines.join('\n')).toContain('Incompatible mods found!');
  await it.isUp();
  expect(await it.files()).toEqual(before);
  expect(await it.loaded()).toEqual(['Alpha-1.jar']);
});

// Guarantee: the mods of a stopped game can be changed without starting it.
test('a game that is stopped', { timeout: 120_000 }, async () => {
  const it = await started();
  expect(await it.power('stop')).toMatchObject({ outcome: 'done' });
  const item = await it.library.jar('Alpha', '1');
  expect(await it.resultOf(it.send({ put: [item], backup: true }))).toMatchObject({
    changed: { set: 'new', health: 'down' },
  });
  expect((await it.server.record())?.ended).toBeTruthy();
  expect(await readdir(join(it.folder, 'mods'))).toEqual(['Alpha-1.jar']);
  await writeFile(join(it.folder, 'mods/Beta-1.jar'), 'by hand');
  expect(await it.resultOf(it.send({ base: 1, put: [await it.library.jar('Beta', '1')] }))).toMatchObject({
    outcome: 'refused',
    changed: { set: 'old', revision: 1 },
  });
  expect((await it.server.record())?.ended).toBeTruthy();
});
