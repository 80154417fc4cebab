import pg from 'pg';
import { expect, test } from 'vitest';
import { portalDatabase, startTestPortal } from '#harness/portal.ts';
import { stepsBack } from './figure-steps.ts';
import { readSales } from './read-sales.ts';

const orders = 10_000;

// Guarantee: among many orders, many of them set aside, sales are summed within a statement's time limit, even while
// Postgres has not yet sorted the newest refs into their index.
test('forty thousand events', { timeout: 240_000, tags: 'night' }, async () => {
  await using database = await portalDatabase();
  await using portal = await startTestPortal({ databaseUrl: database.url });
  // On a separate connection: the portal's connections cut statements that take longer than five seconds.
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  // As Stripe reports a subscription: checkout, invoice, payment of the invoice, partial refund. A tenth is set aside.
  await client.query(
    `insert into webhook_events
       (id, gateway, event_id, type, kind, refs, facts, payload_sha256, occurred_at, received_at, outcome)
     select 'c' || substr(md5(i || '-' || part), 1, 24), 'stripe', i || '-' || part, '',
       (array['purchase', 'renewal', 'link', 'nothing'])[part],
       case part
         when 1 then array['stripe:cs' || i, 'stripe:sub' || i, 'stripe:in' || i]
         when 2 then array['stripe:in' || i, 'stripe:sub' || i]
         when 3 then array['stripe:in' || i, 'stripe:pi' || i]
         else array['stripe:ch' || i, 'stripe:pi' || i]
       end,
       '{"priced": true}', '', now() - interval '1 day', now(),
       case when i % 10 = 0 or part = 4 then 'ignored' else 'processed' end
     from generate_series(1, $1::int) i, generate_series(1, 4) part`,
    [orders],
  );
  await client.query(
    `insert into payments (gateway, direction, reference, source, event_id, minor, currency, is_total, at)
     select gateway, case kind when 'renewal' then 'paid' else 'returned' end, event_id, refs[1], id,
       case kind when 'renewal' then 900 else 100 end, 'USD', kind = 'nothing', occurred_at
     from webhook_events where kind in ('renewal', 'nothing')`,
  );
  await client.end();
  const { db } = portal.context;
  const { currencies } = await readSales(db, await stepsBack(db, 365, 'UTC', new Date()));
  const counted = BigInt(orders * 0.9);
  expect(currencies.map(({ total }) => total)).toEqual([
    { paid: 900n * counted, returned: 100n * counted, payments: Number(counted) },
  ]);
});
