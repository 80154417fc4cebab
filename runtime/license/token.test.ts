import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { trustSuccessorsOf } from './succession/key-trust.ts';
import { claimsFor, newSigningKey, signToken } from './testing/fake-portal.ts';
import { readToken } from './token.ts';

const hwid = `sha256:${'ab'.repeat(32)}`;
const key = await newSigningKey();
const { keys } = await trustSuccessorsOf(key.publicKey);
const claims = claimsFor(hwid, Date.UTC(2026, 0, 1));
const token = signToken(claims, key);

// Guarantee: a token signed with the pinned key is read, with every claim as signed.
test('a good token', async () => {
  expect(await readToken(token, keys)).toEqual({ kind: 'verified', claims });
});

// Guarantee: an expired token still proves what was signed; whether it is still valid is decided elsewhere.
test('an old token', async () => {
  expect(await readToken(signToken(claimsFor(hwid, 0), key), keys)).toMatchObject({ kind: 'verified' });
});

test('a token of another key names that key', async () => {
  const other = await newSigningKey();
  expect(await readToken(signToken(claims, other), keys)).toEqual({
    kind: 'foreign',
    kid: other.kid,
    reason: 'unknown',
  });
});

const [header = '', payload = '', signature = ''] = token.split('.');
const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: key.kid })).toString('base64url');
const symmetric = Buffer.from(JSON.stringify({ alg: 'HS256', kid: key.kid })).toString('base64url');
const hmac = createHmac('sha256', key.publicKey).update(`${symmetric}.${payload}`).digest('base64url');
const edited = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url');

// Guarantee: no forged, cut or edited token is trusted, and none causes a crash.
test.each([
  ['no signature', `${unsigned}.${payload}.`],
  ['a symmetric signature over the public key', `${symmetric}.${payload}.${hmac}`],
  ['edited claims', `${header}.${edited}.${signature}`],
  ['a cut signature', `${header}.${payload}.${signature.slice(0, -4)}`],
  ['another audience', signToken({ ...claims, aud: 'else' }, key)],
  ['another issuer', signToken({ ...claims, iss: 'else' }, key)],
  ['no tenant', signToken({ ...claims, tenantId: undefined }, key)],
  ['a date as text', signToken({ ...claims, exp: '2099-01-01' }, key)],
  ['another algorithm in the header', signToken(claims, key, 'ES256')],
])('%s', async (_what, forged) => {
  expect(await readToken(forged, keys)).toMatchObject({ kind: 'invalid' });
});

test.each(['a.b.c', '..', 'e30.e30.e30', 'not a token'])('no token at all: %j', async (text) => {
  expect((await readToken(text, keys)).kind).not.toBe('verified');
});

// Guarantee: another key that claims the pinned key's id is not trusted.
test('a stolen kid', async () => {
  const thief = await newSigningKey();
  expect(await readToken(signToken(claims, { ...thief, kid: key.kid }), keys)).toMatchObject({
    kind: 'invalid',
  });
});

// Guarantee: a public key of the wrong length is refused at the start, naming its variable.
test.each(['', 'abc', 'A'.repeat(44), `${'A'.repeat(42)}=`])('public key %j', async (text) => {
  await expect(trustSuccessorsOf(text)).rejects.toThrow('LICENSE_SERVER_PUBLIC_KEY');
});
