import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAccount } from '#harness/test-account.ts';
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
