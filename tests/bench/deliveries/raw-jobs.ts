import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { eventually } from '#harness/eventually.ts';
import { type DeliveryFigures, figuresOf } from './figures.ts';

const schema = 'raw';
const queue = 'raw';
const sendersAtOnce = 32;
const doneMs = 120_000;

/** pg-boss alone: a job is sent, worked by a handler that does nothing, and completed. */
export const measureRawJobs = async (
  client: pg.Client,
  connectionString: string,
  {
    paced,
    perSecond,
    rushed,
  }: { readonly paced: number; readonly perSecond: number; readonly rushed: number },
): Promise<DeliveryFigures> => {
  const boss = new PgBoss({
    connectionString,
    schema,
    useListenNotify: true,
    schedule: false,
    supervise: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    await boss.createQueue(queue, { policy: 'standard', notify: true });
    const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
    await boss.work(queue, { batchSize: 100, burstWhenBatchFull: true, ...polling }, async () => undefined);
    const allDone = (count: number) =>
      eventually(async () => {
        const { rows } = await client.query(
          `select count(*)::int as count from ${schema}.job where name = '${queue}' and state = 'completed'`,
        );
        if (rows[0].count < count) throw new Error(`${rows[0].count} of ${count} jobs are done`);
        await delay(100);
      }, doneMs);
    const began = performance.now();
    const sending: Promise<unknown>[] = [];
    for (let sent = 0; sent < paced; sent += 1) {
      await delay(Math.max(0, began + (sent * 1000) / perSecond - performance.now()));
      sending.push(boss.send(queue, { number: sent }));
    }
    await Promise.all(sending);
    await allDone(paced);
    const { rows: times } = await client.query<{ ms: number }>(
      `select extract(epoch from completed_on - created_on)::float8 * 1000 as ms from ${schema}.job where name = '${queue}'`,
    );
    let sent = 0;
    const rushBegan = performance.now();
    const sender = async () => {
      for (let number = sent++; number < rushed; number = sent++) await boss.send(queue, { number });
    };
    await Promise.all(Array.from({ length: sendersAtOnce }, sender));
    await allDone(paced + rushed);
    const seconds = (performance.now() - rushBegan) / 1000;
    return figuresOf(
      times.map(({ ms }) => ms),
      rushed / seconds,
    );
  } finally {
    await boss.stop({ graceful: false });
  }
};
