import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { keyFingerprint, readPublicKey } from '#runtime/license/succession/public-key.ts';
import { newSigningKey } from '#runtime/license/testing/fake-portal.ts';
import { lookUpPortal, portalAddressOf, portalUrlText } from './look-up-portal.ts';

const { publicKey: active } = await newSigningKey();
const { publicKey: next } = await newSigningKey();
const member = (x: string) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: 'made up', alg: 'EdDSA', use: 'sig' });
const published = (...keys: string[]) => JSON.stringify({ keys: keys.map(member) });

let answer = { status: 200, body: published(active, next) };
const server = createServer((request, response) => {
  const isKeys = request.url === licensesHttp.jwks.path;
  response.writeHead(isKeys ? answer.status : 404, { 'Content-Type': 'application/json' });
  response.end(isKeys ? answer.body : '');
});
let url = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const lookUp = (typed: string, publicKey = '', isPlainConfirmed = false) =>
  lookUpPortal({ url: typed, publicKey, isPlainConfirmed });

// Guarantee: the signing key is shown, with a fingerprint computed from the key and not from the portal's name for it.
test('a portal is found', async () => {
  answer = { status: 200, body: published(active, next) };
  const { kid = '' } = (await readPublicKey(active)) ?? {};
  const found = { outcome: 'found', url, publicKey: active, fingerprint: keyFingerprint(kid) };
  expect(await lookUp(` ${url}/ `)).toEqual(found);
  expect(keyFingerprint(kid)).toMatch(/^(?:[0-9a-f]{4} ){4}[0-9a-f]{4}$/);
  expect(await lookUp(url, next)).toMatchObject({ outcome: 'found', publicKey: next });
  answer = { status: 200, body: published(active) };
  expect(await lookUp(url)).toEqual(found);
});

// Guarantee: a pasted key that the portal does not publish is refused.
test('another key than the one that was pasted', async () => {
  answer = { status: 200, body: published(active, next) };
  expect(await lookUp(url, (await newSigningKey()).publicKey)).toMatchObject({ outcome: 'other-key' });
});

// Guarantee: over http, nothing is sent to another machine before a person has confirmed that.
test('http to another machine', async () => {
  expect(await lookUp('http://portal.example')).toMatchObject({ outcome: 'plain' });
  expect(await lookUp('http://127.0.0.1.example')).toMatchObject({ outcome: 'plain' });
  expect(await lookUp('http://127.0.0.1:9', '', true)).toMatchObject({ outcome: 'unreachable' });
});

// Guarantee: whatever is no portal is reported as none, whatever it answers.
test.each([
  [200, ''],
  [200, 'null'],
  [200, '[]'],
  [200, '<html>'],
  [200, '{"keys":[]}'],
  [200, '{"keys":[{"x":"short"}]}'],
  [200, published('A'.repeat(42))],
  [404, published(active)],
  [500, ''],
])('an answer %i %j', async (status, body) => {
  answer = { status, body };
  expect(await lookUp(url)).toMatchObject({ outcome: 'no-portal' });
});

// Guarantee: an address is accepted as people type it; what cannot be the address of a portal is refused.
test('addresses', () => {
  const text = (typed: string) => {
    const address = portalAddressOf(typed);
    return address && portalUrlText(address);
  };
  expect(text('licenses.example.com')).toBe('https://licenses.example.com');
  expect(text('https://example.com/portal/?a=1#b')).toBe('https://example.com/portal');
  expect(text('HTTP://localhost:3100/')).toBe('http://localhost:3100');
  for (const typed of [
    '',
    ' ',
    'ftp://example.com',
    'https://a:b@example.com',
    'https://',
    'javascript://x',
    'file:///x',
  ])
    expect(text(typed)).toBeNull();
});
