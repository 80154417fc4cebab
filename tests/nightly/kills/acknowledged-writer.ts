import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/**
 * Runs beside a stack: inserts rows without end, and writes each one that Postgres has acknowledged into the journal. At each
 * connection it first counts what of the journal is lost, and adds that to the verdicts.
 */
const [journal = '', verdicts = '', run = ''] = process.argv.slice(2);
const pauseMs = 5;
const reconnectMs = 200;

const write = async (client: Client): Promise<void> => {
  await client.connect();
  await client.query('create table if not exists acknowledged_writes (id uuid primary key)');
  const { rows } = await client.query<{ id: string }>('select id from acknowledged_writes');
  const there = new Set(rows.map(({ id }) => id));
  const acknowledged = readFileSync(journal, 'utf8').split('\n').filter(Boolean);
  const lost = acknowledged.filter((id) => !there.has(id)).length;
  appendFileSync(verdicts, `${JSON.stringify({ run, acknowledged: acknowledged.length, lost })}\n`);
  for (;;) {
    const id = randomUUID();
    await client.query('insert into acknowledged_writes values ($1)', [id]);
    appendFileSync(journal, `${id}\n`);
    await delay(pauseMs);
  }
};

for (;;) {
  const client = new Client({
    connectionString: process.env.CASTELLAN_TEST_DATABASE ?? '',
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => undefined);
  // It is killed again and again.
  await write(client).catch(() => undefined);
  await client.end().catch(() => undefined);
  await delay(reconnectMs);
}
