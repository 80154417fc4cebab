import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import type { MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { createLog } from '#runtime/log.ts';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { createAgentReports } from './agent-reports.ts';

const machine: MachineFacts = {
  platform: 'linux',
  folder: '/srv/ark',
  startMethod: 'none',
  startDetail: null,
  account: null,
  allows: { power: false, files: false, mods: false },
  tasks: [],
  hasConsole: true,
};
const agents = 1200;

// Guarantee: agents that arrive together cost a few statements rather than one each; one that the database refuses does
// not block another, and what has not changed is not written again.
test('many that arrive at once', async () => {
  await using database = await migratedDatabase();
  const { pool } = database;
  await pool.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await pool.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select 's' || n, 'c', 's' || n, 's' || n, 'minecraft', 1 from generate_series(1, $1::int) as n`,
    [agents],
  );
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const log = createLog({ component: 'api', destination: { write: () => undefined } });
  const reports = createAgentReports(database.db.withPlugin(counting), log);
  const tell = (journal: string) => {
    for (let number = 1; number <= agents; number += 1)
      reports.tellMachine(`s${number}`, { journal, taskJournal: 't', machine }, false);
  };
  const written = async () =>
    (await pool.query('select journal, count(*)::int as count from agent_reports group by journal')).rows;

  tell('first');
  await reports.flush();
  expect(statements).toBeLessThanOrEqual(3);
  expect(await written()).toEqual([{ journal: 'first', count: agents }]);
  await reports.flush();
  expect(statements).toBeLessThanOrEqual(3);

  tell('second');
  reports.tellMachine('a server that is gone', { journal: 'second', taskJournal: 't', machine }, false);
  await reports.flush();
  expect(await written()).toEqual([{ journal: 'second', count: agents }]);
  expect(reports.get('a server that is gone')).not.toBe(null);
});
