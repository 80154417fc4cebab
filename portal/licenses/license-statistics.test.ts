import pg from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { newHwid, portalDatabase, startTestPortal } from '#harness/portal.ts';

const many = 60_000;

// Guarantee: every license counts once, even if there are more than one statement counts.
test('more licenses than a slice', { timeout: 120_000 }, async () => {
  await using database = await portalDatabase();
  await using portal = await startTestPortal({ databaseUrl: database.url });
  const license = await portal.issue();
  await portal.activate(license.licenseKey, newHwid());
  // On a separate connection: the portal's connections cut statements that take longer than five seconds.
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  await client.query(
    `insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, status, buyer_email, purchase_id, created_at)
     select 'c' || substr(md5(i::text), 1, 24), $1, '', i::text::bytea, 'pro', '["*"]',
       case when i % 3 = 0 then 'revoked' else 'active' end, 'many@example.com', $2, now()
     from generate_series(1, $3::int) i`,
    [license.tenantId, license.purchaseId, many],
  );
  await client.end();
  // On a slow machine, counting continues while the page says that it is not done yet.
  await eventually(async () => {
    const taken = await portal.context.vendorArea.figures();
    expect(taken?.figures).toMatchObject({ active: (many / 3) * 2 + 1, revoked: many / 3, bound: 1 });
  }, 60_000);
});
