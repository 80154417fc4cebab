import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { Secret } from '#runtime/secret.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { absentKind, presentKinds, seedEvents, servers } from './events-seed.ts';
import { runLoad } from './harness/load.ts';
import { askAtPace, type PacedResult } from './harness/paced.ts';
import type { Bench } from './harness/report.ts';
import { alternate } from './harness/statistics.ts';

const kept = 5_000_000;
const expired = 1_000_000;
/** The retention of the API under test. */
const retentionDays = 90;
const rounds = 3;
const requestsPerRound = 300;
const connections = 2;
const healthPerSecond = 50;
const calmMs = 10_000;
const deletionDeadlineMs = 90_000;

interface RunningApi extends AsyncDisposable {
  readonly port: number;
}

const startApiProcess = async (databaseUrl: Secret): Promise<RunningApi> => {
  const program = join(import.meta.dirname, 'events-api-main.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(databaseUrl.reveal());
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    port: Number(line),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const waitUntil = async (what: string, deadlineMs: number, isSo: () => Promise<boolean>): Promise<void> => {
  const until = performance.now() + deadlineMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`not in ${deadlineMs / 1000} s: ${what}`);
    await delay(100);
  }
};

const jobsDone = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ open: number }>(
    `select count(*)::int as open from queue.job where name = 'maintenance' and state in ('created', 'active', 'retry')`,
  );
  return rows[0]?.open === 0;
};

const baselineName = 'baseline: /api/health/database';

/** The requested pages; the index varies the values. */
const pages: Readonly<Record<string, (index: number) => string>> = {
  'first page': () => '',
  'last page': () => 'page=last',
  'page in the middle': (index) => `to=${daysAgo(1 + (index % 80))}`,
  'by kind': (index) => `kind=${presentKinds[index % presentKinds.length]}`,
  'by three kinds': (index) =>
    [0, 1, 2].map((next) => `kind=${presentKinds[(index + next) % presentKinds.length]}`).join('&'),
  'by a kind that never happened': () => `kind=${absentKind}`,
  'by server': (index) => `serverId=${servers[index % servers.length]}`,
  'by severity (alert)': () => 'severity=alert',
  'by severity (warning, alert)': () => 'severity=warning&severity=alert',
  'by server, kind and severity': (index) =>
    `serverId=${servers[index % servers.length]}&kind=${presentKinds[index % presentKinds.length]}&severity=alert`,
  'last page of a kind': (index) => `page=last&kind=${presentKinds[index % presentKinds.length]}`,
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const getRequest = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testDesktopCredential}\r\n\r\n`;

const measure = async (port: number, target: (index: number) => string) => {
  const request = (index: number) => getRequest(target(index));
  const result = await runLoad({ port, connections, requests: requestsPerRound, request });
  if (result.statuses['200'] !== requestsPerRound)
    throw new Error(`not every answer was 200: ${JSON.stringify(result.statuses)}`);
  return {
    'req/s': result.perSecond,
    'p50 ms': result.p50Ms,
    'p99 ms': result.p99Ms,
    'max ms': result.maxMs,
  };
};

const figuresOf = ({ requests, p50Ms, p99Ms, maxMs, failures }: PacedResult) => ({
  requests,
  'p50 ms': p50Ms,
  'p99 ms': p99Ms,
  'max ms': maxMs,
  failures,
});

export const eventsBench: Bench = {
  summary: 'pages of an event log of 5 million rows, and /api/health while a million of them expire',
  async run(say) {
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await temporaryFolder('bench-events'));
    const postgres = resources.use(
      await openTestCluster(folder.path, await freePort(), { fsync: 'on', max_wal_size: '2GB' }),
    );
    await postgres.start();
    const api = resources.use(await startApiProcess(postgres.databaseUrl));
    const client = await postgres.cluster.connect('castellan');
    resources.defer(() => client.end());
    // The daily maintenance runs while there is nothing to do, so that it does not run during the measurement.
    await waitUntil('the API is up', 30_000, async () => {
      const { rows } = await client.query(`select to_regclass('queue.job') is not null as up`);
      return rows[0]?.up === true;
    });
    await waitUntil('its maintenance is done', 30_000, () => jobsDone(client));

    say(`writing ${kept + expired} events`);
    await seedEvents(client, { kept, expired, retentionDays });

    const subject = (query: (index: number) => string) => () =>
      measure(api.port, (index) => `${eventsHttp.list.path}?${query(index)}`);
    const subjects = Object.fromEntries(Object.entries(pages).map(([name, query]) => [name, subject(query)]));
    const baseline = () => measure(api.port, () => healthHttp.database.path);
    const all: Record<string, typeof baseline> = { [baselineName]: baseline, ...subjects };
    const pageFigures = await alternate(all, rounds, say);

    say('health while nothing happens');
    const health = { port: api.port, path: healthHttp.stack.path, perSecond: healthPerSecond };
    const calm = await askAtPace({ ...health, until: delay(calmMs) });
    say(`health while ${expired} expired events are deleted`);
    const began = performance.now();
    await client.query(
      `insert into queue.job (name, state, policy, data) values ('maintenance', 'created', 'stately', '{}')`,
    );
    const deleted = waitUntil('the expired events are deleted', deletionDeadlineMs, () => jobsDone(client));
    const busy = await askAtPace({ ...health, until: deleted });
    await deleted;
    const deletionSeconds = (performance.now() - began) / 1000;
    const { rows } = await client.query<{ left: number }>(
      `select count(*)::int as left from event_logs where at < now() - make_interval(days => $1)`,
      [retentionDays],
    );
    if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} expired events are left`);
    const afterwards = await alternate(subjects, 1, (line) => say(`after the deletion, ${line}`));

    const slowest = Math.max(
      ...Object.keys(pages).map((name) => pageFigures[name]?.['p99 ms'] ?? Number.POSITIVE_INFINITY),
    );
    return {
      title: `Event log of ${kept} rows, pages of 100 over HTTP on ${connections} connections`,
      tables: {
        [`Pages, medians of ${rounds} rounds`]: pageFigures,
        'Pages after the deletion, one round': afterwards,
        [`/api/health, asked ${healthPerSecond} times a second`]: {
          'while nothing happens': figuresOf(calm),
          [`while ${expired} expired events are deleted`]: figuresOf(busy),
        },
        Deletion: {
          'expired events': { rows: expired, seconds: deletionSeconds, 'rows/s': expired / deletionSeconds },
        },
      },
      aims: [
        { what: 'slowest page, p99 ms', value: slowest, aim: '< 50', met: slowest < 50 },
        {
          what: '/api/health during the deletion, p99 ms',
          value: busy.p99Ms,
          aim: '< 100',
          met: busy.p99Ms < 100 && busy.failures === 0,
        },
      ],
    };
  },
};
