import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { healthHttp } from '#contracts/operations/health.ts';
import { agentTiming } from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { testAgentSecret } from '../../../server/kernel/testing/test-api.ts';
import { askProcessStats, weigh } from '../harness/process-stats.ts';
import type { Bench } from '../harness/report.ts';
import { alternate } from '../harness/statistics.ts';
import { type Subject, toSubject } from '../portal-subjects.ts';
import { measureKicks } from './kicks.ts';
import type { SwarmNews, SwarmOrder } from './swarm-main.ts';

const usualSizes = '1000,5000,10000';
const settleMs = 6000;
const playersOfEach = 4;
const measureMs = 20_000;
const connectionsPerSecond = 500;
const kibPerMiB = 1024;

const captions = {
  api: 'the API',
  bare: 'a bare WebSocket server',
  ratio: 'times the bare server',
} as const;

type Figures = Readonly<Record<string, number>>;

const start = (file: string): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, file)], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });

/** One message from the swarm: that all agents are connected, or how they are doing. */
const say = async (swarm: ChildProcess, order: SwarmOrder | 'news'): Promise<SwarmNews> => {
  const answer = once(swarm, 'message');
  const ended = once(swarm, 'exit').then(() => {
    throw new Error('the swarm broke off');
  });
  swarm.send(order);
  const [news] = await Promise.race([answer, ended]);
  return news as SwarmNews;
};

/** The cost of `count` agents in the steady state, on an API that has none yet. */
const measure = async (
  subject: Subject,
  child: ChildProcess,
  serverIds: readonly string[],
  settled: () => Promise<void>,
): Promise<Figures> => {
  const swarm = start('swarm-main.ts');
  try {
    const before = await weigh(child);
    const heartbeatMs = agentTiming.websocketHeartbeatSeconds * 1000;
    const order: SwarmOrder = {
      port: subject.port,
      secret: testAgentSecret,
      serverIds,
      heartbeatMs,
      connectionsPerSecond,
      playersOfEach,
    };
    await say(swarm, order);
    await settled();
    await delay(settleMs);
    const arrival = await askProcessStats(child);
    const begun = await say(swarm, 'news');
    await delay(measureMs);
    const steady = await askProcessStats(child);
    const ended = await say(swarm, 'news');
    const after = await weigh(child);
    if (ended.lost > 0) throw new Error(`${ended.lost} agents were lost`);
    return {
      '% of a core': (100 * steady.cpuSeconds) / steady.seconds,
      'heartbeats/s': (ended.acknowledged - begun.acknowledged) / steady.seconds,
      'KB live a connection': ((after.liveMiB - before.liveMiB) * kibPerMiB) / serverIds.length,
      'KB a connection': ((after.rssMiB - before.rssMiB) * kibPerMiB) / serverIds.length,
      'worst stall ms': steady.stallMs,
      'worst stall while they arrive ms': arrival.stallMs,
    };
  } finally {
    const hasEnded = swarm.exitCode !== null || swarm.signalCode !== null;
    const exited = hasEnded ? null : once(swarm, 'exit');
    swarm.kill('SIGKILL');
    await exited;
  }
};

export const seedServers = async (databaseUrl: string, count: number): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
    await client.query(
      `insert into game_servers (id, cluster_id, name, name_key, game, port)
       select 's' || n, 'c', 'Server ' || n, 'server ' || n, 'minecraft', 25575 from generate_series(1, $1) n`,
      [count],
    );
  } finally {
    await client.end();
  }
  return serverIdsOf(count);
};

const serverIdsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index + 1}`);

const arePlayersWritten = async (databaseUrl: string, serverIds: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await eventually(async () => {
      const { rows } = await client.query(
        'select count(*)::int as written from player_sessions where server_id = any($1)',
        [serverIds],
      );
      if (rows[0].written < playersOfEach * serverIds.length) throw new Error(`${rows[0].written} written`);
      await delay(500);
    }, 180_000);
  } finally {
    await client.end();
  }
};

export const isReady = (port: number) =>
  eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${healthHttp.stack.path}`);
    const { components } = (await response.json()) as { components?: { queues: { status: string } } };
    if (components?.queues.status !== 'ok') throw new Error('not ready yet');
  }, 60_000);

interface Readiness {
  readonly ready: (port: number) => Promise<void>;
  /** Resolves when the work that arrivals cause, such as storing players, is done: it is not part of the steady state. */
  readonly settled: () => Promise<void>;
}

const ratios = (figures: Readonly<Record<string, Figures>>): Figures => {
  const bare = figures[captions.bare] ?? {};
  return Object.fromEntries(
    Object.entries(figures[captions.api] ?? {}).map(([figure, value]) => [
      figure,
      value / (bare[figure] ?? Number.NaN),
    ]),
  );
};

/** Measures a fresh process, whose memory no earlier round has touched, with `serverIds` connected. */
const measureFresh = async (
  file: string,
  input: string,
  serverIds: readonly string[],
  { ready, settled }: Readiness,
): Promise<Figures> => {
  const child = start(file);
  child.stdin?.end(input);
  await using subject = await toSubject(child, Number);
  await ready(subject.port);
  return await measure(subject, child, serverIds, settled);
};

export const agentsBench: Bench = {
  summary: 'agents on WebSocket with a heartbeat each 5 s',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        sizes: { type: 'string', default: usualSizes },
        rounds: { type: 'string', default: '1' },
        json: { type: 'boolean' },
      },
    });
    const sizes = values.sizes.split(',').map(Number);
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('bench-agents'));
    const cluster = await openCluster({ folder: folder.path, port: await freePort() });
    await cluster.start();
    owned.defer(() => cluster.stop());
    const urlOf = (database: string) =>
      cluster.connectionUrl('postgres', cluster.superuserPassword, database).reveal();
    const makeDatabase = async (name: string) => {
      const client = await cluster.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return urlOf(name);
    };

    const tables: Record<string, Record<string, Figures>> = {};
    for (const size of sizes) {
      const figures = await alternate(
        {
          [captions.api]: async (round) => {
            // Each sweep would look at the servers of an earlier run and miss their agents.
            const url = await makeDatabase(`agents_${size}_${round}`);
            await createSchema(url);
            const serverIds = await seedServers(url, size);
            return measureFresh('api-main.ts', url, serverIds, {
              ready: isReady,
              settled: () => arePlayersWritten(url, serverIds),
            });
          },
          [captions.bare]: () =>
            measureFresh('baseline-main.ts', '', serverIdsOf(size), {
              ready: async () => undefined,
              settled: async () => undefined,
            }),
        },
        Number(values.rounds),
        (line) => say(`${size} agents, ${line}`),
      );
      tables[`${size} agents`] = { ...figures, [captions.ratio]: ratios(figures) };
    }
    say('kicks beside an upload');
    const kicksUrl = await makeDatabase('agents_kicks');
    await createSchema(kicksUrl);
    tables['a command through one agent'] = await measureKicks(kicksUrl);
    const most = sizes.at(-1);
    const table = tables[`${most} agents`];
    const aim = (row: string, figure: string, limit: number) => {
      const value = table?.[row]?.[figure] ?? Number.NaN;
      return { what: `at ${most} agents, ${figure}, ${row}`, value, aim: `<= ${limit}`, met: value <= limit };
    };
    return {
      title: `Agents on WebSocket, a heartbeat each ${agentTiming.websocketHeartbeatSeconds} s, ${measureMs / 1000} s measured, ${values.rounds} rounds`,
      tables,
      aims: [
        aim(captions.ratio, '% of a core', 1.35),
        aim(captions.ratio, 'KB a connection', 1.4),
        aim(captions.api, 'worst stall ms', 50),
        aim(captions.api, 'worst stall while they arrive ms', 50),
      ],
    };
  },
};

/** The API makes its schema when it starts. */
export const createSchema = async (url: string): Promise<void> => {
  const child = start('api-main.ts');
  child.stdin?.end(url);
  await using subject = await toSubject(child, Number);
  await isReady(subject.port);
};
