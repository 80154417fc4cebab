// @module-tag identity

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from '../../bench/agent-kills/kills.ts';
import { installWithServers } from '../../integration/testing/install-with-servers.ts';

const serverIds = ['one', 'two'];

// Guarantee: no matter how often agents are killed or stopped during commands, nothing runs twice, and only commands whose outcome
// the agents themselves do not know are `unknown`, for callers and in the history.
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
