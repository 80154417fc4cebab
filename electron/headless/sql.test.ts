// @module-tag slow

import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorRole } from '#contracts/kernel/product.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { type HeadlessHome, headlessHome } from '../testing/headless-home.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

// Guarantee: `sql` runs one statement as the limited role, and its audit row commits with it or not at all.
// It starts thirteen programs one after another.
test('sql', { timeout: 300_000, tags: 'night' }, async () => {
  expect(await home.run('sql', 'select 1')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('castellan start'),
  });
  await home.writeEnv();
  home.launch();
  await home.whenRuns();
  expect(await home.run('sql', 'select 1')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has not prepared'),
  });

  const connectionString = /^DATABASE_URL=(.*)\?/m.exec(await readFile(stackEnvPath(home.path), 'utf8'))?.[1];
  const api = new Client({ connectionString });
  await api.connect();
  try {
    await api.query(`
      create table audit_logs (statement text);
      grant select on audit_logs to ${operatorRole};
      create function castellan_audit_sql(statement text) returns void language sql security definer
        as 'insert into audit_logs values (statement)';
      revoke all on function castellan_audit_sql(text) from public;`);
    expect(await home.run('sql', 'select 1')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has not prepared'),
    });
    await api.query(`grant execute on function castellan_audit_sql(text) to ${operatorRole}`);
    const shown = await home.run('sql', "select 7 as seven, null as nothing, E'a\\x1b[31m' as red");
    expect(shown).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'seven  nothing  red\n-----  -------  ---------\n7      null     a\\x1b[31m\n(1 row)\n',
    });
    const json = await home.runWith('select statement from audit_logs', 'sql', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ command: 'SELECT', rowCount: 2 });
    for (const [statement, words] of [
      ['/* unseen */ rollback', /ROLLBACK is not possible/],
      ['abort and chain', /ROLLBACK is not possible/],
      ['select 1; select 2', /multiple commands/],
      ['drop table audit_logs', /must be owner/],
      ['selec 1', /syntax error/],
      ['', /stdin/],
    ] as const)
      expect(await home.run('sql', statement)).toMatchObject({
        stdout: '',
        stderr: expect.stringMatching(words),
      });
    expect((await api.query('select from audit_logs')).rowCount).toBe(2);
  } finally {
    await api.end();
  }
});
