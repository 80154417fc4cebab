import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ComponentLogPage,
  componentLogPage,
  componentLogsHttp,
  componentLogsUsage,
  logComponents,
} from '#contracts/operations/component-logs.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor } from '#runtime/redact.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { type FeatureApi, serveFeature, silentLog } from '../../kernel/testing/feature-api.ts';
import { bindComponentLogsRoutes } from './component-logs.routes.ts';
import { createComponentLogs } from './component-logs.ts';

const secret = 'hunter2-hunter2-hunter2';
let home: TemporaryFolder;
let folder: string;
let api: FeatureApi;

beforeAll(async () => {
  home = await temporaryFolder('component-logs');
  folder = join(home.path, 'logs');
  const logs = createComponentLogs({ folder, redact: createRedactor([secret]), log: silentLog });
  api = await serveFeature((routes) => bindComponentLogsRoutes(routes, logs));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});
beforeEach(() => mkdir(folder));
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const line = (msg: string, more: object = {}) =>
  `${JSON.stringify({ level: 'info', time: at(0), component: 'api', msg, ...more })}\n`;

const askFor = (query: Record<string, string> = {}, component = 'api') =>
  ask(api.port, `/api/component-logs/${component}?${new URLSearchParams(query)}`);
const page = async (query: Record<string, string> = {}): Promise<ComponentLogPage> => {
  const { status, json, text } = await askFor(query);
  expect(status, text).toBe(200);
  return componentLogPage.parse(json);
};
/** All pages, one after another. */
const pages = async (query: Record<string, string> = {}, between?: () => Promise<void>) => {
  const all = [await page(query)];
  for (let next = all[0]?.nextCursor; next; next = all.at(-1)?.nextCursor) {
    await between?.();
    all.push(await page({ ...query, cursor: next }));
  }
  return all;
};
const messages = (...all: ComponentLogPage[]) =>
  all.flatMap(({ rows }) => rows.map(({ message }) => message));

// Guarantee: lines come newest first, with what they hold; a line that is not ours is shown unchanged.
test('rows', async () => {
  await put(
    'api.log',
    Buffer.concat([
      Buffer.from(line('first', { port: 3001, err: { message: 'why' } })),
      Buffer.from('LOG:  database system is ready\r\n\n'),
      Buffer.from([0xff, 0x41, 0x0a]),
      Buffer.from('{"level":50,"time":1767225600000,"msg":"by number"}\n{"half": \n'),
      Buffer.from(line('', { level: 'odd', time: 'never', component: 'bot', msg: { a: 1 } })),
      Buffer.from('{"level":"info","msg":"not wri'),
    ]),
  );
  const { rows, ...rest } = await page();
  expect(rest).toMatchObject({ nextCursor: null, stoppedEarly: false, searchedUntil: at(0) });
  expect(rows.map(({ id: _, component: __, ...row }) => row)).toEqual([
    {
      at: null,
      level: null,
      message: '',
      fields: { level: 'odd', time: 'never', component: 'bot', msg: { a: 1 } },
    },
    { at: null, level: null, message: '{"half": ', fields: {} },
    { at: '2026-01-01T00:00:00.000Z', level: 'error', message: 'by number', fields: {} },
    { at: null, level: null, message: '�A', fields: {} },
    { at: null, level: null, message: 'LOG:  database system is ready', fields: {} },
    { at: at(0), level: 'info', message: 'first', fields: { port: 3001, err: { message: 'why' } } },
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(6);
});

// Guarantee: however long the lines and wherever a block ends, reading backwards finds the same lines as reading forwards.
test('every line, once', async () => {
  const lengths = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 65_500, max: 65_560 }),
    fc.integer({ min: 120_000, max: 140_000 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(lengths, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (sizes, limit) => {
        const lines = sizes.map((size, index) => `${index}:`.padEnd(size, 'x'));
        const half = Math.floor(lines.length / 2);
        // The older file ends without a line ending, as after a kill.
        await put('api.log.7', lines.slice(0, half).join('\n'));
        await put('api.log', lines.slice(half).join('\n').concat('\n'));
        const found = await pages({ limit: String(limit) });
        expect(messages(...found)).toEqual(lines.toReversed().map((text) => text.slice(0, 8000)));
        const { text } = await ask(api.port, '/api/component-logs/api/download');
        expect(text).toBe(lines.map((each) => `${each}\n`).join(''));
      },
    ),
    { numRuns: 40 },
  );
});

// Guarantee: files that are put aside between two pages neither hide nor repeat a line; the list simply ends at what was removed.
test('rotation between pages', async () => {
  for (const file of [1, 2, 3]) await put(`api.log.${file}`, line(`${file} a`) + line(`${file} b`));
  await put('api.log', line('4 a') + line('4 b'));
  let next = 4;
  const rotate = async () => {
    await rename(join(folder, 'api.log'), join(folder, `api.log.${next}`));
    next += 1;
    await put('api.log', line(`${next} a`) + line(`${next} b`));
  };
  const seen = messages(...(await pages({ limit: '1' }, rotate)));
  expect(seen).toEqual(['4 b', '4 a', '3 b', '3 a', '2 b', '2 a', '1 b', '1 a']);

  const { nextCursor } = await page({ limit: '1' });
  await rm(folder, { recursive: true });
  await mkdir(folder);
  expect(await page({ cursor: String(nextCursor) })).toMatchObject({ rows: [], nextCursor: null });
  await put('api.log', line('anew'));
  expect(messages(await page({ cursor: String(nextCursor) }))).toEqual(['anew']);
});

// Guarantee: a level means itself and everything worse; text is found as people type it, whatever its case.
test('filters', async () => {
  const said = [
    line('trace', { level: 'trace' }),
    line('a "quoted" word'),
    line('in a field', { path: 'C:\\Games', err: { message: 'ENOENT' } }),
    line('warned', { level: 'warn' }),
    'of no level\n',
    line('dead', { level: 'fatal' }),
  ];
  await put('api.log', said.join(''));
  const found = async (query: Record<string, string>) => messages(await page(query));
  expect(await found({ level: 'warn' })).toEqual(['dead', 'warned']);
  expect(await found({ level: 'info' })).toHaveLength(5);
  expect(await found({ text: '"QUOTED" W' })).toEqual(['a "quoted" word']);
  expect(await found({ text: 'enoent' })).toEqual(['in a field']);
  expect(await found({ text: 'warned', level: 'fatal' })).toEqual([]);
});

// Guarantee: one request reads a bounded part of a log, says so, and the search continues where it stopped.
test('a search through much', async () => {
  const filler = line('x'.repeat(900), { time: at(5) }).repeat(10_000);
  await put('api.log.1', line('needle one', { time: at(1) }) + filler);
  await put('api.log', line('needle two', { time: at(7) }) + filler);
  const found = await pages({ text: 'needle' });
  expect(found.map(({ stoppedEarly }) => stoppedEarly)).toEqual([true, true, false]);
  expect(found[0]).toMatchObject({ rows: [], searchedUntil: at(5) });
  expect(messages(...found)).toEqual(['needle two', 'needle one']);
  expect(found.at(-1)).toMatchObject({ nextCursor: null, searchedUntil: at(1) });
  const [first] = await pages({ limit: '500' });
  expect(first?.rows).toHaveLength(500);
});

// Guarantee: no line is too long, too deep or too odd: each is shown as far as it is sensible, and the search gets past it.
test('hostile lines', async () => {
  await put(
    'api.log',
    [
      'before',
      'y'.repeat(9 * 1024 * 1024),
      JSON.stringify({ msg: 'm'.repeat(50_000), level: 'error' }),
      `{"msg":"deep","a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      `{"msg":"less deep","a":${'['.repeat(7000)}${']'.repeat(7000)}}`,
      '{"__proto__":{"polluted":true},"constructor":1,"msg":"odd","time":1e300,"level":{}}',
      '{"msg":"\\u0000\\ud800","level":25}',
      '\0\0\0',
      'after',
      '',
    ].join('\n'),
  );
  const found = await pages();
  const rows = found.flatMap((each) => each.rows);
  expect(rows.map(({ message }) => message.slice(0, 9))).toEqual([
    'after',
    '\0\0\0',
    expect.stringMatching(/^\0/),
    'odd',
    'less deep',
    'deep',
    'mmmmmmmmm',
    'yyyyyyyyy',
    'before',
  ]);
  expect(rows[6]).toMatchObject({ level: 'error', fields: {}, raw: expect.stringMatching(/^\{"msg":"mmm/) });
  expect(rows[6]?.message).toHaveLength(8000);
  expect(Object.hasOwn({}, 'polluted')).toBe(false);
  expect(JSON.stringify(rows).length).toBeLessThan(100_000);
});

// Guarantee: nothing but the logs can be read, whatever is in the path, the cursor or the folder.
test.each([
  ['another file', '..%2f.env'],
  ['a file of a log', 'api.log'],
  ['a property', '__proto__'],
  ['a NUL', 'api%00'],
])('%s is no component', async (_what, component) => {
  await writeFile(join(home.path, '.env'), 'KEY=not for anybody');
  expect((await askFor({}, component)).json).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect((await ask(api.port, `/api/component-logs/${component}/download`)).status).toBe(400);
});
test('links, folders and cursors', async () => {
  await writeFile(join(home.path, '.env'), 'KEY=not for anybody\n');
  await symlink(join(home.path, '.env'), join(folder, 'api.log'));
  await mkdir(join(folder, 'api.log.3'));
  await put('api.log.txt', 'no\n');
  expect(await page()).toMatchObject({ rows: [], nextCursor: null });
  expect((await ask(api.port, '/api/component-logs/api/download')).text).toBe('');
  for (const cursor of ['x', '1', '-1.5', '1.99999999999999999999', '1.2.3'])
    expect((await askFor({ cursor })).json, cursor).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await page({ cursor: '3.999999999' })).toMatchObject({ rows: [] });
});

// Guarantee: a secret that is in a file anyway is neither shown nor found, nor downloaded.
test('secrets', async () => {
  await put('api.log', `${line(`password ${secret}`, { also: secret })}bare ${secret}\n`);
  const { rows } = await page();
  expect(rows).toMatchObject([
    { message: 'bare [redacted]' },
    { message: 'password [redacted]', fields: { also: '[redacted]' } },
  ]);
  expect((await page({ text: secret.slice(0, 7) })).rows).toEqual([]);
  expect((await ask(api.port, '/api/component-logs/api/download')).text).not.toContain('hunter2');
});

// Guarantee: the list has every component, with the space that all its files take.
test('usage', async () => {
  await put('bot.log', line('x'));
  await put('bot.log.12', line('y'));
  const { logs } = componentLogsUsage.parse((await ask(api.port, componentLogsHttp.usage.path)).json);
  expect(logs.map(({ component }) => component)).toEqual([...logComponents]);
  const bytes = 2 * line('x').length;
  expect(logs.at(-1)).toEqual({ component: 'bot', bytes, newestAt: expect.any(String) });
  expect(logs[0]).toEqual({ component: 'supervisor', bytes: 0, newestAt: null });
  await rm(folder, { recursive: true });
  expect((await ask(api.port, componentLogsHttp.usage.path)).status).toBe(200);
  await mkdir(folder);
});

// Guarantee: each file appears once, however its number is written, and the highest number still makes valid cursors.
test('odd numbers', async () => {
  await put('api.log.7', line('a'));
  await put('api.log.007', line('b'));
  await put('api.log.999999999', line('c'));
  await put('api.log', line('d') + line('e'));
  expect(messages(...(await pages({ limit: '1' })))).toEqual(['e', 'd', 'c', 'a']);
});

// Guarantee: any row's id leads to the older rows.
test('the id of a row', async () => {
  await put('api.log.1', line('a') + line('b'));
  await put('api.log', line('c') + line('d'));
  const { rows } = await page();
  const older = rows.map(async ({ id }) => messages(await page({ cursor: id })).join(''));
  expect(await Promise.all(older)).toEqual(['cba', 'ba', 'a', '']);
});

// Guarantee: a download is the whole log as text, oldest first, with what was written before it began.
test('download', async () => {
  const filler = line('x'.repeat(900)).repeat(5000);
  await put('api.log.2', `first\n${filler}`);
  await put('api.log', `${filler}last\nhalf`);
  await appendFile(join(folder, 'api.log'), ' a line');
  const { status, headers, text } = await ask(api.port, '/api/component-logs/api/download');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename=castellan-component-log.txt');
  expect(text).toBe(`first\n${filler}${filler}last\n`);
  const head = await ask(api.port, '/api/component-logs/api/download', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, text: '' });
});
