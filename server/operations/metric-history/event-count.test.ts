import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { type MigratedDatabase, migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { countEvents } from './event-count.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

// Guarantee: the first count returns only a position; from then on each event is counted once, including one whose
// transaction ends long after those that began later.
test('events, each once', async () => {
  const { db } = database;
  let { position } = await countEvents(db, null);
  let counted = 0;
  const count = async () => {
    const { events, position: next } = await countEvents(db, position);
    position = next;
    counted += events ?? Number.NaN;
    return counted;
  };
  // Other tests' transactions also delay the feed.
  const countUpTo = (expected: number) =>
    eventually(async () => expect(await count()).toBe(expected), 30_000);

  await recordEvent(db, 'stack.started', { version: 'first' });
  await countUpTo(1);
  expect(await countEvents(db, null)).toMatchObject({ events: null });
  await using slow = await sqlSession(database.url);
  await slow.query('begin');
  await slow.query("select castellan_record_event('stack.started', 'info', '{}')");
  await recordEvent(db, 'stack.started', { version: 'quick' });
  for (let time = 0; time < 3; time += 1) expect(await count()).toBe(1);
  await slow.query('commit');
  await countUpTo(3);
  expect(await count()).toBe(3);
});
