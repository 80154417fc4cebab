import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BotSettings, botHttp, botReport } from '#contracts/discord/bot.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createApiClient } from './api-client.ts';
import { nextReportMs, startApiLink } from './api-link.ts';

interface Report {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let reports: Report[];
let fetches: number;
let taken: (BotSettings | null)[];
let status: number;
let settings: BotSettings;
/** The database is down. */
let hasNoRevision: boolean;

const api = createServer(async (request, response) => {
  const path = `${request.method} ${request.url}`;
  const isReport = request.method === botHttp.report.method;
  if (isReport) reports.push({ path, headers: request.headers, body: JSON.parse(await text(request)) });
  else fetches += 1;
  const revision = hasNoRevision ? null : settings.revision;
  response.writeHead(status).end(JSON.stringify(isReport ? { revision } : settings));
});

beforeEach(async () => {
  reports = [];
  fetches = 0;
  taken = [];
  status = 200;
  hasNoRevision = false;
  settings = { revision: '0.0', token: null, isTokenUnreadable: false, clientId: '', guildId: '' };
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

const start = () =>
  startApiLink({
    api: createApiClient(
      `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      new Secret('the-secret-of-the-bot'),
    ),
    fromEnv: ['guildId'],
    latencyMs: () => 42,
    traffic: () => null,
    onSettings: (given) => taken.push(given),
    log: createLog({ component: 'bot', level: 'silent' }),
  });

const connected = {
  state: 'connected',
  detail: 'Signed in as castellan.',
  obstacle: null,
  guildName: 'The Keep',
  clientId: '100000000000000000',
} as const;

// Guarantee: a change is reported immediately, in the contract's shape, with the bot's own secret.
test('reports at the start and on each change', async () => {
  await using link = start();
  await eventually(() => expect(reports).toHaveLength(1));
  link.set(connected);
  await eventually(() =>
    expect(reports.at(-1)?.body).toEqual({
      ...connected,
      fromEnv: ['guildId'],
      latencyMs: 42,
      traffic: null,
    }),
  );
  for (const report of reports) {
    expect(report.path).toBe(`PUT ${botHttp.report.path}`);
    expect(report.headers.authorization).toBe('Bearer the-secret-of-the-bot');
    botReport.parse(report.body);
  }
});

// Guarantee: an API that waits for a license is asked again, less often, and told as soon as it listens.
test('an unlicensed API is waited for', async () => {
  status = 403;
  await using _link = start();
  await eventually(() => expect(reports.length).toBeGreaterThan(1));
  status = 200;
  const before = reports.length;
  await eventually(() => expect(reports.length).toBeGreaterThan(before));
});

test('the waits', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map(nextReportMs)).toEqual([10_000, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

// Guarantee: settings are fetched when they have changed, and only then.
test('settings that change', async () => {
  await using link = start();
  await eventually(() => expect(taken).toEqual([settings]));
  link.set(connected);
  await eventually(() => expect(reports).toHaveLength(2));
  settings = { ...settings, revision: '1.0', token: 'a.new.token' };
  link.set({ ...connected, detail: 'signed in' });
  await eventually(() => expect(taken.at(-1)).toEqual(settings));
  expect(fetches).toBe(2);
});

// Guarantee: an unreachable API or database takes nothing from the bot, which hears once that it can begin with what it has.
test.each([
  ['the API', 503, false],
  ['the database', 200, true],
])('%s away', async (_what, answered, isRevisionUnknown) => {
  status = answered;
  hasNoRevision = isRevisionUnknown;
  await using link = start();
  await eventually(() => expect(taken).toEqual([null]));
  link.set(connected);
  await eventually(() => expect(reports).toHaveLength(2));
  status = 200;
  hasNoRevision = false;
  link.set({ ...connected, detail: 'signed in' });
  await eventually(() => expect(taken).toEqual([null, settings]));
});
