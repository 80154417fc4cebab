import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import {
  type IssuedLicense,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { countSealedRows } from '#runtime/sealed/sealed-rows.ts';
import type { Secret } from '#runtime/secret.ts';
import { createSecretBox, keyIdOf } from '#runtime/secret-box.ts';
import { type PortalContext, sealedColumns } from '../context.ts';
import { licenseKeyColumn } from '../licenses/license-key-vault.ts';

const [oldKey, newKey] = [newMasterKey(), newMasterKey()];

let database: TestDatabase;
let portals: AsyncDisposableStack;
beforeEach(async () => {
  database = await portalDatabase();
  portals = new AsyncDisposableStack();
});
afterEach(async () => {
  await portals.disposeAsync();
  await database[Symbol.asyncDispose]();
});

const start = async (masterKey: Secret, ...previousMasterKeys: Secret[]): Promise<TestPortal> =>
  portals.use(await startTestPortal({ databaseUrl: database.url, masterKey, previousMasterKeys }));

/** Found by its key, and not refused as unknown: at most it is bound to another machine. */
const isKnown = async (portal: TestPortal, { licenseKey }: IssuedLicense): Promise<boolean> => {
  const { status, body } = await portal.activate(licenseKey, newHwid());
  return status === 200 || body.code === 'HWID_MISMATCH';
};
/** What is stored of a license key, opened with these master keys. */
const openedWith = async (
  { db }: PortalContext,
  { id }: IssuedLicense,
  ...masterKeys: [Secret, ...Secret[]]
): Promise<string> => {
  const row = db.selectFrom('licenses').select('key_sealed').where('id', '=', id);
  const { key_sealed } = await row.executeTakeFirstOrThrow();
  return createSecretBox(masterKeys).open(key_sealed, licenseKeyColumn.placeOf(id)).toString();
};
const leftUnder = ({ db }: PortalContext, key: Secret) =>
  countSealedRows(db, sealedColumns, { otherThan: keyIdOf(key) });

// Guarantee: everything is sealed again; license keys are found before, during and after, by portals with either key;
// and in the end the old key is no longer needed.
test('a rotation of the master key', async () => {
  const before = await start(oldKey, newKey);
  const licenses = [await before.issue(), await before.issue()];
  await before.context.signingKeys.prepare();
  const after = await start(newKey, oldKey);
  licenses.push(await after.issue(), await before.issue());
  expect(await leftUnder(after.context, newKey)).toBeGreaterThan(0);
  expect(await after.context.reseal()).toMatchObject({ keyId: keyIdOf(newKey), unreadable: [] });
  expect(await leftUnder(after.context, newKey)).toBe(0);
  const alone = await start(newKey);
  for (const license of licenses) {
    for (const portal of [before, after, alone]) expect(await isKnown(portal, license)).toBe(true);
    expect(await openedWith(alone.context, license, newKey)).toBe(license.licenseKey);
  }
  const rotation = await alone.context.signingKeys.rotate({ activeKid: null, urgent: true });
  expect(rotation.outcome).toBe('rotated');
  await expect(start(oldKey)).rejects.toThrow(/PORTAL_MASTER_KEY is not the one/);
  expect(await alone.context.reseal()).toMatchObject({ done: 0 });
});

// Guarantee: if it is interrupted after any batch, everything still opens with both keys, and the next run does the rest.
test('a rotation that is broken off', async () => {
  const before = await start(oldKey, newKey);
  const licenses = await Promise.all(Array.from({ length: 4 }, () => before.issue()));
  // More than two batches of licenses, copied from one another in SQL: their content does not matter here.
  await sql`
    insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, max_clusters, expires_at, status,
        buyer_email, purchase_id, created_at)
      select 'c' || lpad(number::text, 24, '0'), tenant_id, key_sealed, sha256(number::text::bytea), tier, features,
        max_clusters, expires_at, status, buyer_email, purchase_id, created_at
      from (select * from licenses limit 1) as one, generate_series(1, 1200) as number`.execute(
    before.context.db,
  );
  const after = await start(newKey, oldKey);
  for (let batches = 1, isDone = false; !isDone; batches += 1) {
    let seen = 0;
    const run = after.context.reseal(() => {
      seen += 1;
      if (seen === batches) throw new Error('broken off');
    });
    const end = await run.then(
      () => 'all',
      (error: Error) => error.message,
    );
    isDone = end === 'all';
    if (!isDone) expect(end).toBe('broken off');
    for (const license of licenses) {
      expect(await openedWith(after.context, license, newKey, oldKey)).toBe(license.licenseKey);
      for (const portal of [before, after]) expect(await isKnown(portal, license)).toBe(true);
    }
    await using restarted = await startTestPortal({
      databaseUrl: database.url,
      masterKey: newKey,
      previousMasterKeys: [oldKey],
    });
    expect(restarted.context.keyRing.active.kid).toBe(before.context.keyRing.active.kid);
  }
  // The copies open in no row but the original, so they are left; the rest needs only the new key.
  expect(await leftUnder(after.context, newKey)).toBe(1200);
});

// Guarantee: what none of the keys opens is named and left unchanged, and the rest is done anyway.
test('a secret that does not open', async () => {
  const before = await start(oldKey);
  const [spoiled, whole] = [await before.issue(), await before.issue()];
  await sql`
    update licenses set key_sealed = overlay(key_sealed placing 'AAAA' from 20) where id = ${spoiled.id}`.execute(
    before.context.db,
  );
  const { reseal } = (await start(newKey, oldKey)).context;
  expect((await reseal()).unreadable).toEqual([{ table: 'licenses', key: spoiled.id }]);
  expect(await openedWith(before.context, whole, newKey)).toBe(whole.licenseKey);
});

// Guarantee: a database of a version that derived the hash key from the master key keeps its license keys, even if the
// master key is replaced together with the update.
test('a database of an older version', async () => {
  const before = await start(oldKey);
  const license = await before.issue();
  await before.context.db.deleteFrom('vault_keys').execute();
  expect(await isKnown(await start(newKey, oldKey), license)).toBe(true);
});

// Guarantee: what released versions sealed still opens: the places that their ciphertexts are bound to are unchanged.
test('the place of each secret', () => {
  expect(sealedColumns.map(({ placeOf }) => placeOf('1'))).toEqual([
    'licenses:1:key',
    'signing_keys:1:private_key',
    'vault_keys:1:key',
    'mail_outbox:1:body',
    'vendor_accounts:1:totp',
    'vendor_sessions:1:totp',
  ]);
});

// Guarantee: no sealed column is forgotten when the master key is rotated.
test('every sealed column is listed', async () => {
  const { db } = (await start(newKey)).context;
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%sealed' order by 1`.execute(db);
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();
  expect(rows.map(({ name }) => name)).toEqual(listed);
});
