import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { migrations } from '../../kernel/database/migrations.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { readStripeEvent } from './stripe-event.ts';
import { takeEvent } from './take-event.ts';
import { stripeSession } from './testing/documented-events.ts';

const upTo = '0034-prices';

// Guarantee: after the update, Stripe amounts that an earlier version read a hundred times too high are correct, and no
// others change; an event with such an amount that is sent again is the same event, while one with another amount is not.
test('amounts of an earlier version', async () => {
  await using database = await testDatabase();
  await using opened = openDatabase<Tables>({
    url: database.url,
    applicationName: 'test',
    log: silentLog,
  });
  const { db, pool } = opened;
  const earlier = Object.entries(migrations).filter(([name]) => name <= upTo);
  await migrate({ db, migrations: Object.fromEntries(earlier), log: silentLog });
  await pool.query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address) values
       ('stripe', 'stripe', 'S', true, 'minecraft', false, false),
       ('own', 'generic', 'G', true, 'minecraft', false, false)`,
  );
  const forint = stripeSession('cs_huf', { amount_total: 129_000, currency: 'huf' });
  const event = readStripeEvent(forint);
  const keep = (shop: string, id: string, amount: object) =>
    pool.query(
      `insert into shop_events (shop_id, event_id, type, digest, refs, facts) values ($1, $2, $3, '\\x00', $4, $5)`,
      [shop, id, event.type, event.refs, JSON.stringify({ ...event.facts, amount })],
    );
  await keep('stripe', event.eventId, { value: '129000', currency: 'HUF' });
  await keep('stripe', 'evt-jpy', { value: '500', currency: 'JPY' });
  await keep('stripe', 'evt-brl', { value: '12.90', currency: 'BRL' });
  await keep('own', 'evt-own', { value: '1290', currency: 'HUF' });
  await migrate({ db, migrations, log: silentLog });

  const kept = await pool.query<{ event_id: string; value: string }>(
    `select event_id, facts #>> '{amount,value}' as value from shop_events`,
  );
  expect(Object.fromEntries(kept.rows.map((row) => [row.event_id, row.value]))).toEqual({
    [event.eventId]: '1290.00',
    'evt-jpy': '500',
    'evt-brl': '12.90',
    'evt-own': '1290',
  });
  const shop = { id: 'stripe', name: 'S' };
  expect(await takeEvent(db, shop, event)).toMatchObject({ outcome: 'repeated' });
  const other = readStripeEvent({
    ...stripeSession('cs_huf', { amount_total: 1, currency: 'huf' }),
    id: event.eventId,
  });
  expect(await takeEvent(db, shop, other)).toMatchObject({ outcome: 'conflict' });
});
