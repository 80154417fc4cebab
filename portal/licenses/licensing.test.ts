import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemDocument } from '#contracts/kernel/problems.ts';
import { licenseEndHeader, licenseNeverEnds, type TokenClaims } from '#contracts/license/licenses.ts';
import type { TestDatabase } from '#harness/database.ts';
import { movableClock, newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { generateKeyPair, signingKey } from '../signing-keys/raw-key.ts';
import { createLicenseTokens } from './license-token.ts';

const hourMs = 3_600_000;
const clock = movableClock();
let database: TestDatabase;
let portal: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, clock });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.context.pool.query(text, values)).rows;
const partsOf = (token: string) => token.split('.') as [string, string, string];
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const withOneBitChanged = (part: string): string => {
  const bytes = Buffer.from(part, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes.toString('base64url');
};
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * hourMs);

const activated = async (wanted: Parameters<TestPortal['issue']>[0] = {}) => {
  const license = await portal.issue(wanted);
  const hwid = newHwid();
  const { status, body } = await portal.activate(license.licenseKey, hwid);
  expect(status).toBe(200);
  return { license, hwid, token: body.token as string };
};

/** Signs what the portal would never sign, with the portal's own key or another. */
const forge = async (
  token: string,
  changed: { header?: object; claims?: object },
  signer = portal.context.keyRing.active.signer,
) => {
  const [header, payload] = partsOf(token);
  const signed = `${encode({ ...decode(header), ...changed.header })}.${encode({ ...decode(payload), ...changed.claims })}`;
  return `${signed}.${sign(null, Buffer.from(signed), signer).toString('base64url')}`;
};

const expectRefusal = (answer: { status: number; headers: Headers; body: unknown }, code: string) => {
  expect(answer.body).toMatchObject({ status: 403, code });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  expect(problemDocument.safeParse(answer.body).success).toBe(true);
};

// Guarantee: header and claims are exactly those of the interface document, and the raw public key alone proves them,
// without any of our libraries.
test('a token carries exactly the documented claims, signed with Ed25519', async () => {
  const expiresAt = inHours(1000);
  const license = await portal.issue({
    tier: 'pro',
    features: ['store', 'mods'],
    maxClusters: 3,
    expiresAt,
    purchaseId: 'order-77',
    buyerEmail: 'someone@example.com',
  });
  const hwid = newHwid();
  const { status, headers, body } = await portal.activate(license.licenseKey, hwid);
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  const { kid, publicKey } = portal.context.keyRing.active;
  expect(Object.keys(body).sort()).toEqual(['signingKeyId', 'token']);
  expect(body.signingKeyId).toBe(kid);

  const [header, payload, signature] = partsOf(body.token);
  expect(decode(header)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid });
  const iat = Math.floor(clock.now().getTime() / 1000);
  expect(decode(payload)).toEqual({
    iss: 'castellan-portal',
    aud: 'castellan-api',
    sub: license.id,
    iat,
    exp: iat + 86_400,
    tier: 'pro',
    tenantId: license.tenantId,
    hwid,
    features: ['store', 'mods'],
    maxClusters: 3,
    buyerEmail: 'someone@example.com',
    purchaseId: 'order-77',
  });

  const raw = Buffer.from(publicKey, 'base64url');
  expect(raw).toHaveLength(32);
  const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
  const proves = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  expect(proves(`${header}.${payload}`)).toBe(true);
  expect(proves(`${header}.${payload}x`)).toBe(false);
});

// Guarantee: with each token the portal says when the license ends, in addition to the documented body, which is unchanged.
test('the end of a license is told with its token', async () => {
  const endOf = (answer: { readonly headers: Headers }) => answer.headers.get(licenseEndHeader);
  const expiresAt = inHours(48);
  const limited = await portal.issue({ expiresAt });
  const hwid = newHwid();
  const first = await portal.activate(limited.licenseKey, hwid);
  expect(endOf(first)).toBe(expiresAt.toISOString());
  expect(Object.keys(first.body).sort()).toEqual(['signingKeyId', 'token']);
  const checked = await portal.validate(limited, first.body.token, hwid);
  expect(endOf(checked)).toBe(expiresAt.toISOString());
  const endless = await portal.issue();
  const { body, headers } = await portal.activate(endless.licenseKey, hwid);
  expect(endOf({ headers })).toBe(licenseNeverEnds);
  expect(endOf(await portal.validate(endless, body.token, hwid))).toBe(licenseNeverEnds);
  // An older portal stored the end of the year 9999 as the year 10000, which no program reads.
  const late = await portal.issue({ expiresAt: new Date(Date.UTC(9999, 11, 32)) });
  expect(endOf(await portal.activate(late.licenseKey, hwid))).toBe('9999-12-31T23:59:59.999Z');
  // Clients that do not prove that a license is theirs learn nothing about it.
  expect(endOf(await portal.activate(limited.licenseKey, newHwid()))).toBeNull();
});

// Guarantee: a license without a limit and with all features says so as documented.
test('null means no cap, a single wildcard all features', async () => {
  const { token } = await activated();
  expect(decode(partsOf(token)[1])).toMatchObject({ features: ['*'], maxClusters: null });
});

// Guarantee: a HWID in capitals is the same machine, and is stored in lower case.
test('HWIDs are taken in any case', async () => {
  const license = await portal.issue();
  const hwid = newHwid();
  const capitals = `sha256:${hwid.slice(7).toUpperCase()}`;
  expect((await portal.activate(license.licenseKey, capitals)).status).toBe(200);
  const { status, body } = await portal.activate(license.licenseKey, hwid);
  expect(status).toBe(200);
  expect(decode(partsOf(body.token)[1]).hwid).toBe(hwid);
  expect((await portal.validate(license, body.token, capitals)).status).toBe(200);
});

// Guarantee: what is not one of our keys is UNAUTHORIZED, including a wrong check character, and never 400.
test('activate refuses unknown and mistyped keys', async () => {
  const { licenseKey } = await portal.issue();
  const last = licenseKey.at(-1) === '0' ? '1' : '0';
  expectRefusal(await portal.activate(licenseKey.slice(0, -1) + last, newHwid()), 'UNAUTHORIZED');
  expectRefusal(await portal.activate('CSTL-0000-0000-0000-0000', newHwid()), 'UNAUTHORIZED');
});

// Guarantee: a license that is not active cannot be activated, not even by the machine that it is bound to.
test('activate refuses licenses that are not active', async () => {
  const { license, hwid } = await activated();
  await portal.context.vendor.suspend(license.id);
  expectRefusal(await portal.activate(license.licenseKey, hwid), 'UNAUTHORIZED');
  expectRefusal(await portal.activate(license.licenseKey, newHwid()), 'UNAUTHORIZED');
  await portal.context.vendor.revoke(license.id);
  expectRefusal(await portal.activate(license.licenseKey, hwid), 'UNAUTHORIZED');
  const brief = await portal.issue({ expiresAt: inHours(1) });
  clock.pass(hourMs);
  expectRefusal(await portal.activate(brief.licenseKey, newHwid()), 'UNAUTHORIZED');
});

// Guarantee: a license stays with its machine, which gets a fresh token as often as it asks.
test('activate binds once', async () => {
  const { license, hwid, token } = await activated();
  expectRefusal(await portal.activate(license.licenseKey, newHwid()), 'HWID_MISMATCH');
  clock.pass(1000);
  const again = await portal.activate(license.licenseKey, hwid);
  expect(again.status).toBe(200);
  expect(again.body.token).not.toBe(token);
  const machines = await query('select hwid from machines where license_id = $1', license.id);
  expect(machines).toEqual([{ hwid }]);
  const events = await query('select kind from license_events where license_id = $1 order by id', license.id);
  expect(events.map(({ kind }) => kind)).toEqual(['issued', 'activated', 'activation_refused', 'activated']);
});

// Guarantee: while a transfer is pending, only the machine that it names can activate; then the license is bound to that machine.
test('a pending transfer lets only its machine activate', async () => {
  const { license, hwid: old, token } = await activated();
  const next = newHwid();
  await query(
    `insert into hwid_transfers (license_id, from_hwid, to_hwid, state, requested_at) values ($1, $2, $3, 'pending', now())`,
    license.id,
    old,
    next,
  );
  expectRefusal(await portal.activate(license.licenseKey, newHwid()), 'UNAUTHORIZED');
  expectRefusal(await portal.activate(license.licenseKey, old), 'UNAUTHORIZED');
  expect((await portal.activate(license.licenseKey, next)).status).toBe(200);
  expectRefusal(await portal.validate(license, token, old), 'HWID_MISMATCH');
  expect((await portal.activate(license.licenseKey, next)).status).toBe(200);
  expect(await query('select state from hwid_transfers where license_id = $1', license.id)).toEqual([
    { state: 'completed' },
  ]);
});

// Guarantee: the daily check renews the token from the license's current state, and records when the machine was seen.
test('validate renews the token, also an expired one', async () => {
  const { license, hwid, token } = await activated({ expiresAt: inHours(24 * 400) });
  clock.pass(24 * 300 * hourMs);
  await query(`update licenses set tier = 'pro' where id = $1`, license.id);
  const { status, body } = await portal.validate(license, token, hwid);
  expect(status).toBe(200);
  const iat = Math.floor(clock.now().getTime() / 1000);
  expect(decode(partsOf(body.token)[1])).toMatchObject({
    iat,
    exp: iat + 86_400,
    tier: 'pro',
    sub: license.id,
  });
  const [machine] = await query('select last_validated_at from machines where license_id = $1', license.id);
  expect(machine?.last_validated_at).toEqual(clock.now());
});

// Guarantee: a token that our key did not sign exactly as it is proves nothing.
test('validate refuses forged tokens', async () => {
  const { license, hwid, token } = await activated();
  const other = await generateKeyPair();
  const stranger = signingKey(other.publicKey, other.privateKey);
  const [header, payload, signature] = partsOf(token);
  const otherLicense = await portal.issue();
  const forged = {
    'another key under our kid': await forge(token, {}, stranger),
    'an unknown kid': await forge(token, { header: { kid: other.kid } }, stranger),
    'our key under an unknown kid': await forge(token, { header: { kid: other.kid } }),
    'no kid': await forge(token, { header: { kid: undefined } }),
    'alg none': `${encode({ alg: 'none', kid: portal.context.keyRing.active.kid })}.${payload}.AA`,
    'another alg': await forge(token, { header: { alg: 'HS256' } }),
    'a critical extension': await forge(token, { header: { crit: ['exp'] } }),
    'another issuer': await forge(token, { claims: { iss: 'someone' } }),
    'another audience': await forge(token, { claims: { aud: 'someone' } }),
    'changed claims': `${header}.${encode({ ...decode(payload), sub: otherLicense.id })}.${signature}`,
    'a payload that is no JSON': `${header}.AAAA.${signature}`,
    'a signature cut short': `${header}.${payload}.${signature.slice(0, 20)}`,
    'a longer signature': `${header}.${payload}.${signature}AAAA`,
    'one bit of the signature changed': `${header}.${payload}.${withOneBitChanged(signature)}`,
  };
  for (const [what, bad] of Object.entries(forged)) {
    const answer = await portal.validate(license, bad, hwid);
    expect([what, answer.status, answer.body.code]).toEqual([what, 403, 'UNAUTHORIZED']);
  }
});

// Guarantee: with few cores or many, the tokens are the same, and forged ones are recognized.
test('signatures in threads and on the main thread', async () => {
  const { token } = await activated();
  const { keyRing } = portal.context;
  const [header, payload, signature] = partsOf(token);
  const claims: TokenClaims = decode(payload);
  const { sub, tenantId } = claims;
  const now = new Date();
  const renewed = await Promise.all(
    [true, false].map(async (inThreads) => {
      const tokens = createLicenseTokens(keyRing, inThreads);
      expect(await tokens.read(token)).toEqual({ kid: keyRing.active.kid, claims: { sub, tenantId } });
      expect(await tokens.read(`${header}.${payload}.${withOneBitChanged(signature)}`)).toBeNull();
      return tokens.sign(claims, now);
    }),
  );
  expect(renewed[0]).toEqual(renewed[1]);
});

// Guarantee: refusals come in the documented order; the first reason that applies is given, later ones are not mentioned.
test('validate refuses in order', async () => {
  const { license, hwid, token } = await activated({ expiresAt: inHours(1) });
  const stranger = newHwid();
  const check = (of: { tenantId?: string }, jwt: string, machine: string) =>
    portal.validate({ tenantId: license.tenantId, ...of }, jwt, machine);

  expectRefusal(await check({}, token, stranger), 'HWID_MISMATCH');
  clock.pass(hourMs);
  expectRefusal(await check({}, token, stranger), 'EXPIRED');
  await portal.context.vendor.suspend(license.id);
  expectRefusal(await check({}, token, stranger), 'SUSPENDED');
  await portal.context.vendor.revoke(license.id);
  expectRefusal(await check({}, token, stranger), 'REVOKED');
  const someone = await portal.issue({ buyerEmail: 'else@example.com' });
  expectRefusal(await check({ tenantId: someone.tenantId }, token, hwid), 'UNAUTHORIZED');
  const unknownLicense = await forge(token, { claims: { sub: `c${'0'.repeat(24)}` } });
  expectRefusal(await check({}, unknownLicense, hwid), 'UNAUTHORIZED');
  const foreignTenant = await forge(token, { claims: { tenantId: someone.tenantId } });
  expectRefusal(await check({ tenantId: someone.tenantId }, foreignTenant, hwid), 'UNAUTHORIZED');
});

// Guarantee: a lifted restriction is lifted immediately: a resumed or extended license validates again with its old token.
test('a suspended and an expired license heal', async () => {
  const { license, hwid, token } = await activated({ expiresAt: inHours(1) });
  const { vendor } = portal.context;
  await vendor.suspend(license.id);
  expectRefusal(await portal.validate(license, token, hwid), 'SUSPENDED');
  await vendor.resume(license.id);
  expect((await portal.validate(license, token, hwid)).status).toBe(200);
  clock.pass(hourMs);
  expectRefusal(await portal.validate(license, token, hwid), 'EXPIRED');
  await vendor.extend(license.id, { days: 1 });
  expect((await portal.validate(license, token, hwid)).status).toBe(200);
});

// Guarantee: a license is valid until the very second of its expiry, and no longer.
test('expiry is exact', async () => {
  const { license, hwid, token } = await activated({ expiresAt: inHours(1) });
  clock.pass(hourMs - 1);
  expect((await portal.validate(license, token, hwid)).status).toBe(200);
  clock.pass(1);
  expectRefusal(await portal.validate(license, token, hwid), 'EXPIRED');
});

// Guarantee: a revoked key's tokens prove nothing from that moment on, even in portals that are already running.
test('validate refuses a struck key', async () => {
  const { license, hwid, token } = await activated();
  const { kid } = portal.context.keyRing.active;
  await query('update signing_keys set struck_at = now() where kid = $1', kid);
  try {
    expectRefusal(await portal.validate(license, token, hwid), 'UNAUTHORIZED');
  } finally {
    await query('update signing_keys set struck_at = null where kid = $1', kid);
  }
  expect((await portal.validate(license, token, hwid)).status).toBe(200);
});

// Guarantee: in one batch, a refused request, an unknown token and a duplicate do not affect the other requests.
test('neighbours in a batch do not touch each other', async () => {
  const licenses = await Promise.all(Array.from({ length: 12 }, () => activated()));
  const [revoked, moved, ...fine] = licenses;
  if (!revoked || !moved) throw new Error('two licenses are needed');
  await portal.context.vendor.revoke(revoked.license.id);
  const answers = await Promise.all([
    portal.validate(revoked.license, revoked.token, revoked.hwid),
    portal.validate(moved.license, moved.token, newHwid()),
    portal.validate(moved.license, 'a.b.c', moved.hwid),
    ...fine.map(({ license, token, hwid }) => portal.validate(license, token, hwid)),
    ...fine.map(({ license, token, hwid }) => portal.validate(license, token, hwid)),
  ]);
  expect(answers.slice(0, 3).map(({ body }) => body.code)).toEqual([
    'REVOKED',
    'HWID_MISMATCH',
    'UNAUTHORIZED',
  ]);
  for (const [index, { status, body }] of answers.slice(3).entries()) {
    expect(status).toBe(200);
    expect(decode(partsOf(body.token)[1]).sub).toBe(fine[index % fine.length]?.license.id);
  }
});

// Guarantee: of any number of machines that activate one key at the same moment, exactly one wins.
test('200 machines, one key, one winner', async () => {
  const license = await portal.issue();
  const hwids = Array.from({ length: 200 }, newHwid);
  const answers = await Promise.all(hwids.map((hwid) => portal.activate(license.licenseKey, hwid)));
  const winners = hwids.filter((_, index) => answers[index]?.status === 200);
  expect(winners).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    expect([status, body.code]).toEqual([403, 'HWID_MISMATCH']);
  const machines = await query('select hwid from machines where license_id = $1', license.id);
  expect(machines).toEqual([{ hwid: winners[0] }]);
});

// Guarantee: events of a license can be added, but never changed or removed.
test('license events are append-only', async () => {
  await activated();
  for (const change of [
    `update license_events set kind = 'issued'`,
    'delete from license_events',
    'truncate license_events',
  ])
    await expect(query(change)).rejects.toThrow(/append-only/);
});

// Guarantee: the database alone reveals no license key.
test('license keys rest encrypted', async () => {
  const { licenseKey, id } = await portal.issue();
  const [row] = await query('select licenses::text as text from licenses where id = $1', id);
  expect(row?.text).not.toContain(licenseKey);
  expect(await portal.context.vendor.find(licenseKey)).toMatchObject({ id });
});
