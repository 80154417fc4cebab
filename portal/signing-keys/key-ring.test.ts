import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { newMasterKey, startTestPortal } from '#harness/portal.ts';

// Guarantee: of portals that start together on an empty database, one creates the schema and the key, and all sign with it.
test('the first key is made once', async () => {
  await using database = await testDatabase();
  await using portals = new AsyncDisposableStack();
  const masterKey = newMasterKey();
  const started = await Promise.all(
    Array.from({ length: 4 }, () => startTestPortal({ databaseUrl: database.url, masterKey })),
  );
  for (const portal of started) portals.use(portal);
  const [first] = started;
  const keys = await first?.context.db.selectFrom('signing_keys').selectAll().execute();
  expect(keys).toHaveLength(1);
  expect(keys?.[0]).toMatchObject({ sequence: 1, state: 'active', endorsement: null, struck_at: null });
  expect(new Set(started.map(({ context }) => context.keyRing.active.kid)).size).toBe(1);
});

// Guarantee: the kid is the RFC 7638 thumbprint, so that anyone can compute it; the private key is stored encrypted.
test('kid and rest', async () => {
  await using database = await testDatabase();
  await using portal = await startTestPortal({ databaseUrl: database.url });
  const { kid, publicKey, signer } = portal.context.keyRing.active;
  const members = `{"crv":"Ed25519","kty":"OKP","x":"${publicKey}"}`;
  expect(kid).toBe(createHash('sha256').update(members).digest('base64url'));
  const privateKey = signer.export({ format: 'jwk' }).d ?? '';
  const row = await portal.context.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
  expect(privateKey).toHaveLength(43);
  expect(JSON.stringify(row)).not.toContain(privateKey);
});

// Guarantee: a portal with another master key says so and does not start, instead of creating a second key.
test('a wrong master key is refused', async () => {
  await using database = await testDatabase();
  await using portal = await startTestPortal({ databaseUrl: database.url });
  await expect(startTestPortal({ databaseUrl: database.url })).rejects.toThrow(
    /PORTAL_MASTER_KEY is not the one/,
  );
  expect(portal.context.keyRing.jwks.keys).toHaveLength(1);
});
