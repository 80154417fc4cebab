import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botHttp, botStatus } from '#contracts/bot.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { nextReportMs, startStatusReporter } from './status-reporter.ts';

interface Report {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let reports: Report[];
let status: number;

const api = createServer(async (request, response) => {
  reports.push({
    path: `${request.method} ${request.url}`,
    headers: request.headers,
    body: JSON.parse(await text(request)),
  });
  response.writeHead(status).end('{}');
});

beforeEach(async () => {
  reports = [];
  status = 200;
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

const start = () =>
  startStatusReporter({
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    secret: new Secret('the-secret-of-the-bot'),
    log: createLog({ component: 'bot', level: 'silent' }),
  });

// Guarantee: a change is reported at once, in the contract's shape, with the bot's own secret.
test('reports at the start and on each change', async () => {
  await using reporter = start();
  await eventually(() => expect(reports).toHaveLength(1));
  reporter.set({ state: 'connected', detail: 'signed in as castellan' });
  await eventually(() =>
    expect(reports.at(-1)?.body).toEqual({ state: 'connected', detail: 'signed in as castellan' }),
  );
  for (const report of reports) {
    expect(report.path).toBe(`PUT ${botHttp.report.path}`);
    expect(report.headers.authorization).toBe('Bearer the-secret-of-the-bot');
    botStatus.parse(report.body);
  }
});

// Guarantee: an API that waits for a license is asked again, less often, and told as soon as it listens.
test('an unlicensed API is waited for', async () => {
  status = 403;
  await using _reporter = start();
  await eventually(() => expect(reports.length).toBeGreaterThan(1));
  status = 200;
  const before = reports.length;
  await eventually(() => expect(reports.length).toBeGreaterThan(before));
});

test('the waits', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map(nextReportMs)).toEqual([10_000, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});
