import { parseArgs } from 'node:util';
import { healthHttp } from '#contracts/operations/health.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { readQueueCounts } from '../../server/kernel/queues/queue-counts.ts';
import { queueNames } from '../../server/kernel/queues/queues.ts';
import { ask } from '../../server/kernel/testing/ask.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const calls = 20;
const aimMs = 20;

const countAll = `select name, state::text as state, count(*)::int as count
  from queue.job where name = any($1) group by name, state`;
/** No job has failed: failures are counted one by one in a single row, which makes a transaction of many slow. */
const keepMany = `insert into queue.job (name, state, policy, data, completed_on)
  select ($1::text[])[1 + n % 2], (array['completed', 'cancelled']::queue.job_state[])[1 + n / 2 % 2],
         'standard', '{}', now() from generate_series(1, $2::int) n`;
const batch = 50_000;
const kept = ['delivery-wakes', 'maintenance'];

/** Times `calls` calls, one after another. */
const timed = async (act: () => Promise<unknown>) => {
  const times = [];
  for (let index = 0; index < calls; index += 1) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return { 'median ms': median(times), 'slowest ms': Math.max(...times) };
};

export const queuesBench: Bench = {
  summary: '/api/health/queues beside a count of the whole job table',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { jobs: { type: 'string', default: '500000' }, json: { type: 'boolean' } },
    });
    const jobs = Number(values.jobs);
    await using folder = await temporaryFolder('bench-queues');
    await using postgres = await openTestCluster(folder.path, await freePort(), { fsync: 'on' });
    await postgres.start();
    await using api = await startTestApi({ databaseUrl: postgres.databaseUrl });
    const readHealth = async () => {
      const { status } = await ask(api.port, healthHttp.queues.path);
      if (status !== 200) throw new Error(`${healthHttp.queues.path} is answered by ${status}`);
    };
    await eventually(readHealth, 30_000);
    await using database = openDatabase<object>({
      url: postgres.databaseUrl,
      applicationName: 'bench',
      log: createLog({ component: 'api', level: 'error' }),
      defaultConnectionLimit: 1,
    });
    say(`writing ${jobs} finished jobs`);
    for (let left = jobs; left > 0; left -= batch)
      await database.pool.query(keepMany, [kept, Math.min(batch, left)]);
    await database.pool.query('vacuum analyze queue.job');

    say(`${calls} calls of each`);
    const whole = await timed(() => database.pool.query(countAll, [queueNames]));
    const counts = await timed(() => readQueueCounts(database.db));
    const endpoint = await timed(readHealth);
    return {
      title: `${jobs} jobs that have ended, ${calls} calls of each`,
      tables: {
        'Counts by queue and state': {
          'a count of the whole job table': whole,
          'as the API reads them': counts,
          [healthHttp.queues.path]: endpoint,
        },
      },
      aims: [
        {
          what: `${healthHttp.queues.path}, median ms`,
          value: endpoint['median ms'],
          aim: `< ${aimMs}`,
          met: endpoint['median ms'] < aimMs,
        },
      ],
    };
  },
};
