// @module-tag identity

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from '../bench/agent-kills/kills.ts';
import { installWithServers } from './testing/install-with-servers.ts';

const serverIds = ['one', 'two'];

// Guarantee: however often agents are killed or stopped under commands, nothing runs twice, and `unknown`, to callers and in the
// history, is only what the agents themselves do not know.
test('agents are killed under commands', { timeout: 300_000 }, async () => {
  await using installation = await installWithServers(serverIds);
  await using api = await installation.startApi();
  const outcome = await runKills({
    apiUrl: installation.apiUrl,
    fetch: api.fetch,
    secret: installation.variables.GAME_AGENT_SECRET ?? '',
    serverIds,
    folder: join(installation.home, 'agents'),
    kills: 8,
    commands: 160,
    seed: 7,
    say: () => undefined,
  });
  expect(outcome).toMatchObject({ commands: 160, kills: 8, ranTwice: 0, toldAnsweredButNotRun: 0 });
  expect(outcome.toldUnknown).toEqual(outcome.doubted);
  expect(outcome.historyUnknown).toEqual(outcome.doubted);
});
