import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { portalDatabase, startTestPortal } from '#harness/portal.ts';
import { stepsBack } from './figures/figure-steps.ts';
import { readLicenseFlow } from './figures/read-license-flow.ts';
import { readLicenseQuery } from './license-query.ts';
import { partsStatement } from './search-licenses.ts';

const many = 100_000;

// Guarantee: among many licenses, a search for parts reads them in index order without sorting, and the figures of a
// year are counted within a statement's time limit.
test('a hundred thousand licenses', { timeout: 240_000, tags: 'night' }, async () => {
  await using database = await portalDatabase();
  await using portal = await startTestPortal({ databaseUrl: database.url });
  const wanted = await portal.issue({ buyerEmail: 'needle@example.com', purchaseId: 'order-of-the-needle' });
  const other = await portal.issue({ buyerEmail: 'other@example.com' });
  // On a separate connection: the portal's connections cut statements that take longer than five seconds.
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  await client.query(
    `insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, status, buyer_email, buyer_name, purchase_id,
       created_at, key_tail, expires_at)
     select 'c' || substr(md5(i::text), 1, 24), $1, '', i::text::bytea, 'pro', '["*"]', 'active',
       'buyer' || i || '@example.com', 'Buyer ' || i, $2, now() - i * interval '5 minutes', upper(substr(md5(i::text), 1, 4)),
       case when i % 2 = 0 then now() + (i % 700 - 350) * interval '1 day' end
     from generate_series(1, $3::int) i`,
    [other.tenantId, other.purchaseId, many],
  );
  await client.query(
    `insert into license_events (license_id, kind, actor, data, at)
     select 'c' || substr(md5(i::text), 1, 24), case when k = 0 then 'suspended' else 'resumed' end, 'vendor',
       jsonb_build_object('from', jsonb_build_object('status', case when k = 0 then 'active' else 'suspended' end),
         'to', jsonb_build_object('status', case when k = 0 then 'suspended' else 'active' end)),
       now() - i * interval '5 minutes' + (k + 1) * interval '1 minute'
     from generate_series(1, $1::int, 3) i, generate_series(0, 1) k`,
    [many],
  );
  await client.query('vacuum analyze');
  await client.end();
  const { context } = portal;
  for (const typed of ['needle', 'ORDER-OF-THE-NEEDLE nee', 'nothing like it', 'buyer 99999 9@']) {
    const query = readLicenseQuery(typed);
    if (query.by !== 'parts') throw new Error(query.by);
    const all = sql`true`;
    const statement = partsStatement({
      parts: query.parts,
      hasStatus: all,
      isBehind: all,
      lookedAt: 250_000,
      limit: 51,
    });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers) ${statement}`.execute(
      context.db,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan Backward using licenses_newest/);
    expect(plan).not.toMatch(/Seq Scan on licenses|Sort/);
  }
  const found = await context.vendorArea.search({
    query: readLicenseQuery('order-of-the-needle ne'),
    limit: 5,
  });
  expect(found.rows.map(({ id }) => id)).toEqual([wanted.id]);
  const now = new Date();
  const flow = await readLicenseFlow(
    context.db,
    await stepsBack(context.db, 365, 'America/Sao_Paulo', now),
    now,
  );
  const { rows } = await context.pool.query(
    `select count(*)::int as active from licenses where status = 'active' and (expires_at > now()) is not false`,
  );
  expect(flow.at(-1)?.active).toBe(rows[0].active);
});
