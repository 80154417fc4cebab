import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../kernel/testing/feature-api.ts';
import { maskStoredCommands } from './mask-stored-commands.ts';
import { insertServers } from './testing/servers-in-use.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, ['one']);
});
afterAll(() => database[Symbol.asyncDispose]());

const clean = () => maskStoredCommands(database.db, silentLog, new AbortController().signal);
const read = async (table: 'agent_commands' | 'console_commands') =>
  (await database.pool.query(`select *, xmin from ${table} order by id`)).rows;

// Guarantee: passwords that an earlier release kept in finished commands and their replies are masked, in batches, by two
// processes at once too; what is masked is not written again, and new rules look at everything again.
test('commands of an earlier release', async () => {
  const given = (command: string, reply: string) =>
    database.pool.query(
      `insert into console_commands (server_id, run_id, actor, command, reply, outcome)
       values ('one', 'run', 'admin:a', $1, $2, 'answered')`,
      [command, reply],
    );
  await given('login hunter2', 'welcome, hunter2');
  await database.pool.query(
    `insert into console_commands (server_id, run_id, actor, command, outcome)
     select 'one', 'run', 'admin:a', 'list', 'answered' from generate_series(1, 600)`,
  );
  await given('authme register Steve hunter2', 'done');
  const answer = {
    outcome: 'answered',
    reply: 'welcome, hunter2',
    truncated: false,
    durationMs: 1,
    sent: true,
  };
  await database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, sent_at, done_at, result)
     values ('done', 'one', 'login hunter2', 1, now(), now(), now(), $1),
            ('waiting', 'one', 'login hunter2', 1, now(), now(), null, null)`,
    [JSON.stringify(answer)],
  );
  await Promise.all([clean(), clean()]);
  const kept = await read('console_commands');
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(kept.at(0)).toMatchObject({ command: 'login ***', reply: 'welcome, ***' });
  expect(kept.at(-1)).toMatchObject({ command: 'authme register Steve ***', reply: 'done' });
  const queue = await read('agent_commands');
  expect(queue).toMatchObject([
    { command: 'login ***', result: { reply: 'welcome, ***' } },
    { command: 'login hunter2', result: null },
  ]);
  await clean();
  expect(await read('console_commands')).toEqual(kept);
  expect(await read('agent_commands')).toEqual(queue);

  await given('op Steve hunter2', '');
  await database.pool.query('update command_masking set rules = rules - 1');
  await clean();
  expect((await read('console_commands')).at(-1)).toMatchObject({ command: 'op Steve ***' });
});
