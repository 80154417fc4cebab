import { createServer } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { refusalCodes } from '#contracts/license/license-refusals.ts';
import { freePort } from '#harness/ports.ts';
import { detailMaxLength } from '../record/license-record.ts';
import { trustSuccessorsOf } from '../succession/key-trust.ts';
import { claimsFor, newSigningKey, type Reply, signToken, startFakePortal } from '../testing/fake-portal.ts';
import { createPortalClient } from './portal-client.ts';

const hwid = `sha256:${'ab'.repeat(32)}`;
const nowMs = Date.UTC(2026, 0, 1);
const { tenantId } = claimsFor(hwid, nowMs);
const server = await startFakePortal(() => nowMs);
afterAll(() => server[Symbol.asyncDispose]());
const trust = await trustSuccessorsOf(server.key.publicKey);
const portal = createPortalClient({ portalUrl: server.url, trust });
const impatient = createPortalClient({ portalUrl: server.url, trust, timeoutMs: 400 });
const token = signToken(claimsFor(hwid, nowMs), server.key);

const validateWith = (reply: Reply) => {
  server.validate = () => reply;
  const asked = reply.say === 'nothing' ? impatient : portal;
  return asked.validate({ tenantId, token, hwid });
};

beforeEach(() => {
  server.asked.length = 0;
});

// Guarantee: requests carry exactly the documented fields and content type.
test('the wire format', async () => {
  const activation = {
    licenseKey: 'CSTL-0000-0000-0000-0000',
    hwid,
    instanceId: crypto.randomUUID(),
    version: '1.2.3',
  };
  expect(await portal.activate(activation)).toMatchObject({ outcome: 'confirmed', claims: { hwid } });
  expect(await portal.validate({ tenantId, token, hwid })).toMatchObject({
    outcome: 'confirmed',
    claims: { hwid },
  });
  expect(server.asked).toEqual([
    { path: '/api/licenses/activate', contentType: 'application/json', body: activation },
    { path: '/api/licenses/validate', contentType: 'application/json', body: { tenantId, token, hwid } },
  ]);
});

test('a portal under a path', async () => {
  const nested = createPortalClient({ portalUrl: `${server.url}/portal/`, trust });
  await nested.validate({ tenantId, token, hwid });
  expect(server.asked[0]?.path).toBe('/portal/api/licenses/validate');
});

// Guarantee: the four documented codes in a 403 problem document are refusals.
test.each(refusalCodes)('%s refuses', async (code) => {
  expect(await validateWith({ say: 'refuse', code, detail: 'why\nnot' })).toEqual({
    outcome: 'refused',
    code,
    detail: 'why not',
  });
});

test('UNAUTHORIZED is not a refusal of the license', async () => {
  expect(await validateWith({ say: 'refuse', code: 'UNAUTHORIZED' })).toMatchObject({
    outcome: 'unauthorized',
  });
});

const problem = (code: string) => JSON.stringify({ type: 'x', title: 'x', status: 403, code });
const json = { 'Content-Type': 'application/json' };
const problemType = { 'Content-Type': problemContentType };

// Guarantee: only the portal's own problem document refuses: proxies, firewalls and broken servers do not.
test.each<[string, Reply]>([
  [
    "a proxy's page",
    { say: 'http', status: 403, headers: { 'Content-Type': 'text/html' }, body: '<h1>Forbidden</h1>' },
  ],
  ['JSON that is no problem document', { say: 'http', status: 403, headers: json, body: problem('REVOKED') }],
  [
    'a problem document without a code',
    { say: 'http', status: 403, headers: problemType, body: '{"type":"x","title":"x","status":403}' },
  ],
  [
    'a code that we do not know',
    { say: 'http', status: 403, headers: problemType, body: problem('BLOCKED') },
  ],
  [
    'a code that refuses nothing',
    { say: 'http', status: 403, headers: problemType, body: problem('FORBIDDEN') },
  ],
  [
    'a problem document that is cut',
    { say: 'http', status: 403, headers: problemType, body: problem('REVOKED').slice(0, -3) },
  ],
  [
    'a refusal with another status',
    { say: 'http', status: 400, headers: problemType, body: problem('REVOKED') },
  ],
  ['a refusal with status 200', { say: 'http', status: 200, headers: problemType, body: problem('REVOKED') }],
  ['403 without anything', { say: 'http', status: 403 }],
  ['404', { say: 'http', status: 404 }],
  ['407', { say: 'http', status: 407 }],
  ['500', { say: 'http', status: 500, headers: problemType, body: problem('INTERNAL') }],
  ['503', { say: 'http', status: 503 }],
  [
    'a captive portal',
    { say: 'http', status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome</h1>' },
  ],
  ['an empty 200', { say: 'http', status: 200, headers: json, body: '' }],
  ['an endless answer', { say: 'http', status: 200, headers: json, body: 'x'.repeat(200_000) }],
  ['a token for another machine', { say: 'token', claims: { hwid: `sha256:${'cd'.repeat(32)}` } }],
  ['a token for another customer', { say: 'token', claims: { tenantId: `c${'9'.repeat(24)}` } }],
  ['a token with another audience', { say: 'token', claims: { aud: 'else' as 'castellan-api' } }],
  ['silence', { say: 'nothing' }],
])('%s is no answer', async (_what, reply) => {
  const answer = await validateWith(reply);
  expect(answer).toMatchObject({ outcome: 'unreachable' });
  if (answer.outcome === 'unreachable') expect(answer.detail).toMatch(/^[A-Z].{20,}\.$/);
});

// Guarantee: a page of a network's sign-in or filter is called that.
test.each([200, 403, 451, 511])('a page with %d', async (status) => {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  expect(await validateWith({ say: 'http', status, headers, body: '<h1>Blocked</h1>' })).toMatchObject({
    outcome: 'unreachable',
    detail: expect.stringContaining('A web page came instead'),
  });
});

// Guarantee: a server in between may send any content type; what we keep of it fits license.json.
test('an endless content type', async () => {
  const headers = { 'Content-Type': `text/${'x'.repeat(600)}` };
  const answer = await validateWith({ say: 'http', status: 502, headers });
  expect(answer).toMatchObject({
    outcome: 'unreachable',
    detail: expect.stringContaining('HTTP 502, text/xxx'),
  });
  if (answer.outcome === 'unreachable') expect(answer.detail.length).toBeLessThan(detailMaxLength);
});

// Guarantee: a redirect is not followed, so that the license key goes nowhere else.
test('a redirect', async () => {
  const headers = { Location: `${server.url}/elsewhere` };
  expect(await validateWith({ say: 'http', status: 307, headers })).toMatchObject({ outcome: 'unreachable' });
  expect(server.asked.map(({ path }) => path)).toEqual(['/api/licenses/validate']);
});

// Guarantee: a token signed by a key that we do not trust is not a confirmation, and the key is named.
test('another signing key', async () => {
  const signedBy = await newSigningKey();
  expect(await validateWith({ say: 'token', signedBy })).toMatchObject({
    outcome: 'wrong-environment',
    kid: signedBy.kid,
  });
});

test.each<[string, number | null]>([
  ['42', 42],
  ['soon', null],
])('429 with Retry-After %s', async (header, retryAfterSeconds) => {
  const reply: Reply = { say: 'http', status: 429, headers: { 'Retry-After': header } };
  expect(await validateWith(reply)).toMatchObject({ outcome: 'rate-limited', retryAfterSeconds });
});

// Guarantee: when the portal cannot be reached, the message says why.
test('nobody there, no TLS, a line that breaks', async () => {
  const ask = (portalUrl: string) =>
    createPortalClient({ portalUrl, trust, timeoutMs: 2000 }).validate({ tenantId, token, hwid });
  expect(await ask(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
    detail: expect.stringMatching(/^Nothing accepts connections at 127/),
  });
  expect(await ask(server.url.replace('http:', 'https:'))).toMatchObject({ outcome: 'unreachable' });

  const breaking = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
  const address = breaking.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  expect(await ask(`http://127.0.0.1:${address.port}`)).toMatchObject({
    detail: expect.stringContaining('was cut'),
  });
  await new Promise((resolve) => breaking.close(resolve));
});
