import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AuditRow, auditHttp } from '#contracts/kernel/audit.ts';
import { readMemberNames } from '../../people/members/member-names.ts';
import { readPlayers } from '../../people/players/read-players.ts';
import { ask } from '../testing/ask.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  testOwner,
} from '../testing/feature-api.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { bindAuditRoutes } from './audit.routes.ts';
import { recordAudit } from './record-audit.ts';

let database: MigratedDatabase;
let sql: SqlSession;
let api: FeatureApi;

beforeAll(async () => {
  database = await migratedDatabase();
  sql = await sqlSession(database.url);
  api = await serveFeature((routes) =>
    bindAuditRoutes(routes, {
      db: database.db,
      retentionDays: 365,
      memberNames: (ids) => readMemberNames(database.db, ids),
      findPlayers: (text) => readPlayers(database.db, null, { text, beyond: null, limit: 100 }),
    }),
  );
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const empty = async () => {
  await sql.query(`begin; set local castellan.retention = 'on'; delete from audit_logs; commit`);
};
afterEach(empty);

interface Page {
  readonly rows: AuditRow[];
  readonly nextCursor: string | null;
}
const list = async (query: Record<string, string> = {}): Promise<Page> => {
  const { status, json } = await ask(api.port, `${auditHttp.list.path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return json as unknown as Page;
};
const actionsOf = ({ rows }: Page): string[] => rows.map(({ action }) => action);

const entry = { actor: testOwner, address: '127.0.0.1', target: 'admin:7' } as const;
const write = (action: string, at = 'now()') =>
  sql.query(
    `insert into audit_logs (actor, action, target, address, at) values ('admin:1', $1, 'x', '::1', ${at})`,
    [action],
  );

// Guarantee: the row of a change is there if and only if the change is.
test('an audit row shares the fate of its change', async () => {
  await expect(
    database.db.transaction().execute(async (trx) => {
      await recordAudit(trx, { ...entry, action: 'roles.create' });
      throw new Error('the change fails');
    }),
  ).rejects.toThrow('the change fails');
  await database.db.transaction().execute((trx) =>
    recordAudit(trx, {
      ...entry,
      action: 'admins.change',
      before: { name: 'old' },
      after: { name: 'new' },
    }),
  );
  const { rows } = await list();
  expect(rows).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      actor: { kind: 'admin', id: 'owner-1', name: 'Owner' },
      action: 'admins.change',
      target: 'admin:7',
      address: '127.0.0.1',
      before: { name: 'old' },
      after: { name: 'new' },
      detail: {},
    },
  ]);
});

// Guarantee: not even the owner of the table changes, deletes or empties the log; only the retention can.
test.each([`update audit_logs set actor = 'somebody else'`, 'delete from audit_logs', 'truncate audit_logs'])(
  '%s is refused',
  async (statement) => {
    await write('kept');
    await expect(sql.query(statement)).rejects.toThrow(/append-only/);
    expect(actionsOf(await list())).toEqual(['kept']);
  },
);

// Guarantee: what the command line writes through its function is read like everything else.
test('SQL by the operator', async () => {
  await sql.query(`select castellan_audit_sql('select 1')`);
  const { rows } = await list({ actor: 'operator' });
  expect(rows).toMatchObject([
    { actor: { kind: 'operator', id: '', name: null }, action: 'sql.run', detail: { statement: 'select 1' } },
  ]);
});

// Guarantee: every filter selects what it says, several select what satisfies all.
test('filters', async () => {
  await recordAudit(database.db, { ...entry, action: 'admins.create', after: { name: 'Zoë_1%' } });
  await recordAudit(database.db, { ...entry, action: 'admins.remove', target: 'admin:8' });
  await write('roles.create', `now() - interval '3 days'`);
  const threeDaysAgo = (hours: number) => new Date(Date.now() - 3 * 864e5 + hours * 36e5).toISOString();

  for (const [query, actions] of [
    [{ actor: 'admin:owner-1' }, ['admins.remove', 'admins.create']],
    [{ actor: 'admin' }, ['admins.remove', 'admins.create', 'roles.create']],
    [{ actor: 'bot' }, []],
    [{ action: 'admins.create' }, ['admins.create']],
    [{ target: 'admin:8' }, ['admins.remove']],
    [{ from: threeDaysAgo(-1), to: threeDaysAgo(1) }, ['roles.create']],
    [{ from: threeDaysAgo(1) }, ['admins.remove', 'admins.create']],
    [{ text: 'zoË_1%' }, ['admins.create']],
    [{ text: 'Zoë_2' }, []],
    [{ text: 'o%1' }, []],
    [{ actor: 'admin:owner-1', action: 'roles.create' }, []],
  ] as const)
    expect([query, actionsOf(await list(query))]).toEqual([query, actions]);
});

// Guarantee: rows that are written while someone reads page by page neither hide nor repeat what was there before.
test('pages are stable while rows are written', async () => {
  for (let index = 0; index < 25; index += 1) await write(`before-${index}`);
  const seen: string[] = [];
  let page = await list({ limit: '4' });
  for (let index = 0; ; index += 1) {
    seen.push(...actionsOf(page));
    await write(`meanwhile-${index}`);
    if (!page.nextCursor) break;
    page = await list({ limit: '4', cursor: page.nextCursor });
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `before-${24 - index}`));
});

// Guarantee: what has expired is not shown, deleted or not.
test('expired rows', async () => {
  await write('old', `now() - interval '365 days 1 minute'`);
  await write('young', `now() - interval '364 days'`);
  expect(actionsOf(await list())).toEqual(['young']);
  expect(actionsOf(await list({ page: 'last' }))).toEqual(['young']);
});

// Guarantee: an export holds every row that the filter selects; names that look like formulas are plain text in it.
test('exports', async () => {
  await recordAudit(database.db, {
    ...entry,
    actor: { ...testOwner, name: '=HYPERLINK("http://evil","x")' },
    action: 'admins.create',
    after: { name: 'a,b' },
  });
  await recordAudit(database.db, { ...entry, action: 'admins.remove' });
  const csv = await ask(api.port, `${auditHttp.exportCsv.path}?action=admins.create`);
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=castellan-audit.csv',
  });
  const [head, row, end, ...more] = csv.text.split('\r\n');
  expect(head).toBe('\uFEFFid,at,actorKind,actorId,actorName,action,target,address,before,after,detail');
  expect(row).toMatch(
    /,admin,owner-1,"'=HYPERLINK\(""http:\/\/evil"",""x""\)",admins.create,admin:7,127.0.0.1,,"{""name"":""a,b""}",{}$/,
  );
  expect([end, more]).toEqual(['', []]);

  const lines = await ask(api.port, auditHttp.exportJsonLines.path);
  expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const rows = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toEqual((await list()).rows);
  expect((await ask(api.port, auditHttp.exportCsv.path, { method: 'HEAD' })).text).toBe('');
});

// Guarantee: a nonsensical query is refused with a reason.
test.each([{ cursor: 'nonsense' }, { limit: '0' }, { from: 'yesterday' }, { page: 'middle' }])(
  '%j is refused',
  async (query) => {
    const answer = await ask(api.port, `${auditHttp.list.path}?${new URLSearchParams(query as never)}`);
    expect(answer.json).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  },
);
