import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type EventPayload, eventKindNames, severityOf } from '#contracts/kernel/event-kinds.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { type EventRow, eventRow } from '#contracts/operations/event-row.ts';
import { ask } from '../testing/ask.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
} from '../testing/feature-api.ts';
import { bindEventsRoutes } from './events.routes.ts';
import { recordEvent } from './record-event.ts';

let database: MigratedDatabase;
let api: FeatureApi;

beforeAll(async () => {
  database = await migratedDatabase();
  api = await serveFeature((routes) => bindEventsRoutes(routes, database.db, 90));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

afterEach(async () => {
  await database.db.deleteFrom('event_logs').execute();
});

interface Page {
  readonly rows: EventRow[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
  readonly liveCursor: string;
}
const list = async (query: string | Record<string, string> = ''): Promise<Page> => {
  const { status, json } = await ask(api.port, `${eventsHttp.list.path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return json as unknown as Page;
};

const started = (version: string, daysAgo = 0) =>
  recordEvent(database.db, 'stack.started', { version }, { at: new Date(Date.now() - daysAgo * 864e5) });
const versionsOf = ({ rows }: Page) => rows.map(({ payload }) => payload.version);

// Guarantee: an event that was written in a transaction is there if and only if the transaction committed.
test('an event shares the fate of its transaction', async () => {
  await expect(
    database.db.transaction().execute(async (trx) => {
      await recordEvent(trx, 'stack.started', { version: 'undone' });
      throw new Error('the change fails');
    }),
  ).rejects.toThrow('the change fails');
  await database.db
    .transaction()
    .execute((trx) => recordEvent(trx, 'stack.started', { version: 'done' }, { serverId: 'server-1' }));
  const { rows } = await list();
  expect(rows).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      kind: 'stack.started',
      severity: 'info',
      serverId: 'server-1',
      payload: { version: 'done' },
    },
  ]);
  expect(eventRow.parse(rows[0])).toEqual(rows[0]);
});

// Guarantee: a payload without the shape of its kind is not written.
test('a wrong payload is refused', async () => {
  const wrong = { version: 7 } as unknown as EventPayload<'stack.started'>;
  await expect(recordEvent(database.db, 'stack.started', wrong)).rejects.toThrow(/version/);
  expect((await list()).rows).toEqual([]);
});

// Guarantee: an event's severity follows from what has happened.
test('severity', () => {
  const changed = { from: 'valid', code: null } as const;
  expect(severityOf('license.changed', { ...changed, to: 'valid' })).toBe('notice');
  expect(severityOf('license.changed', { ...changed, to: 'grace' })).toBe('warning');
  expect(severityOf('license.changed', { ...changed, to: 'rejected' })).toBe('alert');
});

// Guarantee: every filter selects what it says; several kinds or severities match any of them, several filters match all.
test('filters', async () => {
  await started('1', 3);
  await recordEvent(database.db, 'license.changed', { from: 'valid', to: 'grace', code: null });
  await recordEvent(
    database.db,
    'queue.job-failed',
    { queue: 'q', jobId: crypto.randomUUID(), tries: 1 },
    { serverId: 's' },
  );
  await recordEvent(database.db, 'login.failed', { name: 'x', address: '::1' });
  const ago = (days: number) => new Date(Date.now() - days * 864e5).toISOString();
  for (const [query, kinds] of [
    ['', ['login.failed', 'queue.job-failed', 'license.changed', 'stack.started']],
    ['kind=login.failed', ['login.failed']],
    ['kind=stack.started&kind=login.failed&kind=login.failed', ['login.failed', 'stack.started']],
    ['kind=backup.taken', []],
    ['severity=warning', ['queue.job-failed', 'license.changed']],
    ['severity=warning&severity=notice', ['login.failed', 'queue.job-failed', 'license.changed']],
    ['kind=license.changed&kind=stack.started&severity=warning', ['license.changed']],
    ['serverId=s', ['queue.job-failed']],
    ['serverId=s&severity=info', []],
    [`from=${ago(1)}`, ['login.failed', 'queue.job-failed', 'license.changed']],
    [`to=${ago(1)}`, ['stack.started']],
    [`from=${ago(4)}&to=${ago(2)}`, ['stack.started']],
  ] as const)
    expect([query, (await list(query)).rows.map(({ kind }) => kind)]).toEqual([query, kinds]);
  expect((await ask(api.port, `${eventsHttp.list.path}?kind=nothing`)).json).toMatchObject({ status: 400 });
  for (const kind of eventKindNames) await list({ kind });
});

// Guarantee: from the last page back to the first and forward again, with a filter, every event comes once.
test('both directions', async () => {
  for (let index = 0; index < 10; index += 1) await started(String(index), index / 10);
  const last = await list('page=last&limit=4&kind=stack.started&kind=backup.taken');
  expect(versionsOf(last)).toEqual(['6', '7', '8', '9']);
  expect(last.nextCursor).toBeNull();
  const middle = await list(`limit=4&kind=stack.started&cursor=${last.previousCursor}`);
  expect(versionsOf(middle)).toEqual(['2', '3', '4', '5']);
  const first = await list(`limit=4&kind=stack.started&cursor=${middle.previousCursor}`);
  expect(versionsOf(first)).toEqual(['0', '1']);
  expect(first.previousCursor).toBeNull();
  expect(versionsOf(await list(`limit=4&kind=stack.started&cursor=${first.nextCursor}`))).toEqual(
    versionsOf(middle),
  );
});

// Guarantee: what has expired is not shown, deleted or not.
test('expired events', async () => {
  await started('old', 90.01);
  await started('young', 89);
  expect(versionsOf(await list())).toEqual(['young']);
  expect(versionsOf(await list('page=last'))).toEqual(['young']);
});

// Guarantee: an export holds every event that the filter selects.
test('exports', async () => {
  await started('1');
  await recordEvent(database.db, 'login.failed', { name: '=1+1', address: '::1' });
  const csv = await ask(api.port, `${eventsHttp.exportCsv.path}?kind=login.failed`);
  expect(csv.text.split('\r\n')[1]).toMatch(
    /,login.failed,notice,,"{""name"":""=1\+1"",""address"":""::1""}"$/,
  );
  const lines = await ask(api.port, eventsHttp.exportJsonLines.path);
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual((await list()).rows);
});

// Guarantee: everything about one person is found, page by page from both ends, with any other filters, and nothing
// about another person who has the same id in another field.
test('events of one person', async () => {
  for (let index = 0; index < 5; index += 1)
    await recordEvent(
      database.db,
      index % 2 === 0 ? 'player.joined' : 'player.left',
      {
        playerId: '7',
        name: `visit ${index}`,
        ...(index % 2 === 1 && { playedSeconds: 1 }),
      } as EventPayload<'player.left'>,
      { serverId: index === 4 ? 'other' : 's' },
    );
  await recordEvent(database.db, 'player.joined', { playerId: '77', name: 'other' });
  await recordEvent(database.db, 'admin.signed-in', { adminId: '7', name: 'admin', address: '' });
  const visits = async (query: Record<string, string>) =>
    (await list({ person: 'player:7', ...query })).rows.map(({ payload }) => payload.name);
  expect(await visits({})).toEqual(['visit 4', 'visit 3', 'visit 2', 'visit 1', 'visit 0']);
  expect(await visits({ kind: 'player.left' })).toEqual(['visit 3', 'visit 1']);
  expect(await visits({ serverId: 's', severity: 'info' })).toEqual([
    'visit 3',
    'visit 2',
    'visit 1',
    'visit 0',
  ]);
  expect(await visits({ page: 'last', limit: '2' })).toEqual(['visit 1', 'visit 0']);
  const first = await list({ person: 'player:7', limit: '2' });
  expect(await visits({ limit: '2', cursor: first.nextCursor ?? '' })).toEqual(['visit 2', 'visit 1']);
  expect((await list({ person: 'admin:7' })).rows.map(({ kind }) => kind)).toEqual(['admin.signed-in']);
  const refused = await ask(api.port, `${eventsHttp.list.path}?person=7`);
  expect(refused.json).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
});
