import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { keySuccessionHttp } from '#contracts/license/key-succession.ts';
import { newSigningKey, type SigningKey } from '../testing/fake-portal.ts';
import { install, readRecord, recordPath, type TestInstallation } from '../testing/installation.ts';
import { endorse, revoke } from '../testing/key-statements.ts';
import { fetchSuccession } from './fetch-succession.ts';

const successionPath = keySuccessionHttp.succession.path;
const fetches = ({ portal }: TestInstallation) =>
  portal.asked.filter(({ path }) => path === successionPath).length;

/** From now on the portal signs with `key`, activations too. */
const signWith = ({ portal }: TestInstallation, key: SigningKey) => {
  portal.validate = () => ({ say: 'token', signedBy: key });
  portal.activate = () => ({ say: 'token', signedBy: key });
};

const publish = (
  { portal }: TestInstallation,
  endorsements: string[],
  strikes: string | null = null,
  revocationNumber = 0,
) => Object.assign(portal, { succession: { endorsements, strikes }, revocationNumber });

/** An installation pinned to the first key, whose portal has a second and a third one. */
const succeeded = async () => {
  const installation = await install();
  const [second, third] = [await newSigningKey(), await newSigningKey()];
  const first = installation.portal.key;
  const endorsements = [endorse(first, second, 2), endorse(second, third, 3)];
  return {
    installation,
    first,
    second,
    third,
    endorsements,
    genuine: [first, second, third].map((key) => key.kid),
  };
};

// Guarantee: a portal that signs with a later key is followed without any change on this side; the published keys are fetched only
// when a token needs them, once, and what was learned holds for an offline start.
test('a later key is followed and kept', async () => {
  const { installation, third, endorsements } = await succeeded();
  await using _installation = installation;
  const client = await installation.activated();
  await client.checkNow();
  expect(fetches(installation)).toBe(0);
  publish(installation, endorsements);
  signWith(installation, third);
  expect((await client.checkNow()).state).toBe('valid');
  await client.checkNow();
  expect(fetches(installation)).toBe(1);
  expect((await readRecord(installation)).successorKeys).toEqual(endorsements);
  await client[Symbol.asyncDispose]();

  installation.portal.validate = () => ({ say: 'nothing' });
  const offline = await installation.open({ scheduled: false });
  expect(offline.status()).toMatchObject({ state: 'valid', code: null });
  expect(fetches(installation)).toBe(1);
});

// Guarantee: a first activation may meet a later key, too.
test('a first activation by a later key', async () => {
  const { installation, third, endorsements } = await succeeded();
  await using _installation = installation;
  publish(installation, endorsements);
  signWith(installation, third);
  const client = await installation.activated();
  expect(client.status().state).toBe('valid');
});

// Guarantee: a key that no trusted key vouches for is refused by name however it is published; the license continues in grace, and
// each check fetches the published keys once.
test('a forged succession', async () => {
  const { installation, third } = await succeeded();
  await using _installation = installation;
  const thief = await newSigningKey();
  const client = await installation.activated();
  publish(installation, [endorse({ ...thief, kid: installation.portal.key.kid }, third, 2)]);
  signWith(installation, third);
  const status = await client.checkNow();
  expect(status).toMatchObject({ state: 'grace', lastCheck: { outcome: 'unreachable' } });
  expect(status.lastCheck?.detail).toContain(third.kid);
  expect(await client.activate(installation.licenseKey)).toMatchObject({
    outcome: 'wrong-environment',
    kid: third.kid,
  });
  expect(fetches(installation)).toBe(2);
  expect((await readRecord(installation)).successorKeys).toEqual([]);
});

// Guarantee: whatever is served in place of the published keys, however long it takes, costs a bounded time and no crash.
test.each([
  ['no JSON', 200, 'not json'],
  ['another shape', 200, '{"endorsements":"x"}'],
  ['an error', 500, '{}'],
  ['no end', 200, ' '.repeat(300_000)],
  ['a redirect', 302, ''],
  ['silence', 0, ''],
])('%s instead of keys', async (_what, status, body) => {
  await using server = createServer((_request, response) => {
    if (status !== 0) response.writeHead(status, { Location: '/elsewhere' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await fetchSuccession(`http://127.0.0.1:${port}`, { timeoutMs: 300 })).toBeNull();
  server.closeAllConnections();
});

// Guarantee: an answer that mentions a newer revocation makes the client fetch it immediately; from then on, and after a restart,
// tokens of the revoked key are refused.
test('a revocation reaches a client whose token needs nothing', async () => {
  const { installation, second, third, endorsements, genuine } = await succeeded();
  await using _installation = installation;
  publish(installation, endorsements);
  signWith(installation, second);
  const client = await installation.activated();
  const strikes = revoke(third, { number: 1, struck: [second.kid], genuine });
  publish(installation, endorsements, strikes, 1);
  signWith(installation, third);
  expect((await client.checkNow()).state).toBe('valid');
  expect((await readRecord(installation)).strikes).toBe(strikes);

  // A thief in the portal's place: neither the stolen key nor one that it vouches for is trusted.
  const thief = await newSigningKey();
  publish(installation, [...endorsements, endorse(second, thief, 7)], null, 0);
  for (const key of [second, thief]) {
    signWith(installation, key);
    expect(await client.checkNow()).toMatchObject({ state: 'grace' });
  }
  await client[Symbol.asyncDispose]();
  const again = await installation.open({ scheduled: false });
  expect(await again.checkNow()).toMatchObject({ state: 'grace' });
  signWith(installation, third);
  expect((await again.checkNow()).state).toBe('valid');
});

// Guarantee: a token of a revoked key proves nothing to the portal; one activation with the stored key fixes it.
test('the token in hand is of a struck key', async () => {
  const { installation, second, third, endorsements, genuine } = await succeeded();
  await using _installation = installation;
  publish(installation, endorsements);
  signWith(installation, second);
  const client = await installation.activated();
  publish(installation, endorsements, revoke(third, { number: 1, struck: [second.kid], genuine }), 1);
  signWith(installation, third);
  installation.portal.validate = () => ({ say: 'refuse', code: 'UNAUTHORIZED' });
  expect((await client.checkNow()).state).toBe('valid');
  expect(installation.portal.asked.at(-2)?.path).toContain('activate');
});

// Guarantee: an installation pinned to a revoked key says so, with the remedy; editing .env alone fixes it.
test('the pinned key is struck', async () => {
  const { installation, first, second, endorsements, genuine } = await succeeded();
  await using _installation = installation;
  const client = await installation.activated();
  publish(installation, endorsements, revoke(second, { number: 1, struck: [first.kid], genuine }), 1);
  signWith(installation, second);
  const status = await client.checkNow();
  expect(status).toMatchObject({ state: 'rejected', code: 'LICENSE_WRONG_ENVIRONMENT' });
  expect(status.detail).toMatch(/revoked.*newer build.*\.env/s);
  await client[Symbol.asyncDispose]();
  const mended = await installation.open({ publicKey: second.publicKey, scheduled: false });
  expect((await mended.checkNow()).state).toBe('valid');
});

// Guarantee: a record of an older build is still readable, and a record with damaged keys loses only those.
test('older and spoiled records', async () => {
  const { installation, third, endorsements } = await succeeded();
  await using _installation = installation;
  const client = await installation.activated();
  await client[Symbol.asyncDispose]();
  const { strikes: _none, ...older } = await readRecord(installation);
  await writeFile(recordPath(installation), JSON.stringify(older));
  const reopened = await installation.open({ scheduled: false });
  expect(reopened.status().state).toBe('valid');
  publish(installation, endorsements);
  signWith(installation, third);
  await reopened.checkNow();
  await reopened[Symbol.asyncDispose]();
  const kept = await readRecord(installation);
  await writeFile(
    recordPath(installation),
    JSON.stringify({ ...kept, successorKeys: ['a.b.c', ...endorsements] }),
  );
  const spoiled = await installation.open({ scheduled: false });
  expect(spoiled.status().state).toBe('valid');
  await writeFile(
    recordPath(installation),
    JSON.stringify({ ...kept, revision: kept.revision + 9, successorKeys: [] }),
  );
  const cleared = await installation.open({ scheduled: false });
  expect(cleared.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_WRONG_ENVIRONMENT' });
  expect((await cleared.checkNow()).state).toBe('valid');
});
