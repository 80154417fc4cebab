// @module-tag identity

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '#harness/installation.ts';
import { sqlSession } from '../../server/testing/sql.ts';
import { runKills } from '../bench/agent-kills/kills.ts';

const serverIds = ['one', 'two'];

// Guarantee: however often agents are killed or stopped under commands, nothing runs twice, and `unknown`, to callers and in the
// history, is only what the agents themselves do not know.
test('agents are killed under commands', { timeout: 300_000 }, async () => {
  await using installation = await install();
  // The first start makes the schema, the second one finds the servers.
  await (await installation.startApi())[Symbol.asyncDispose]();
  await using sql = await sqlSession(installation.databaseUrl);
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select id, 'c', id, id, 'minecraft', 25575 from unnest($1::text[]) as id`,
    [serverIds],
  );
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
