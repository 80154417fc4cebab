import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { usualAnswers } from './questions.ts';
import { readServerSettings } from './server-settings.ts';
import { setUpServer } from './set-up-server.ts';

// Guarantee: a config.json that cannot be read is reported with the reason, and does not count as a missing one.
test('a config.json that cannot be read', async () => {
  await using folder = await temporaryFolder('settings');
  const home = agentHome(folder.path, {});
  const path = home.configPath('one');
  expect(await readServerSettings(path)).toBeNull();
  await mkdir(path, { recursive: true });
  await expect(readServerSettings(path)).rejects.toThrow(/config\.json cannot be read: EISDIR/);
  const said: string[] = [];
  const questions = usualAnswers((text) => void said.push(text));
  expect(await setUpServer({ home, serverId: 'one', questions })).toBe('failed');
  expect(said.join()).toMatch(/cannot be read: EISDIR.*Nothing was changed/);
  const damaged = join(folder.path, 'damaged.json');
  await writeFile(damaged, '{"game":"mine');
  expect(await readServerSettings(damaged)).toBeNull();
});
