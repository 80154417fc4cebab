import { afterAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { openTestProxy } from '#harness/outside-servers.ts';
import { Secret } from '../../secret.ts';
import { trustSuccessorsOf } from '../succession/key-trust.ts';
import { claimsFor, signToken, startFakePortal } from '../testing/fake-portal.ts';
import { createPortalClient } from './portal-client.ts';

const hwid = `sha256:${'cd'.repeat(32)}`;
const nowMs = Date.UTC(2026, 0, 1);
const server = await startFakePortal(() => nowMs);
afterAll(() => server[Symbol.asyncDispose]());
const trust = await trustSuccessorsOf(server.key.publicKey);
const { tenantId } = claimsFor(hwid, nowMs);
const token = signToken(claimsFor(hwid, nowMs), server.key);

const ask = (way: string, portalUrl: string, timeoutMs = 20_000) =>
  createPortalClient({ portalUrl, trust, timeoutMs, proxy: () => new Secret(way) }).validate({
    tenantId,
    token,
    hwid,
  });

const forbidden = 'HTTP/1.1 403 Forbidden\r\n\r\n';

// Guarantee: LICENSE_PROXY leads to the portal alone, in each way of writing it, and says nothing about the license.
test.each(['127.0.0.1', '::1'])('a proxy at %s', async (address) => {
  await using proxy = await openTestProxy(() => forbidden, { address });
  const host = address.includes(':') ? `[${address}]` : address;
  expect(await ask(`http://CORP\\me:p%40ss@${host}:${proxy.port}`, 'https://portal.example')).toMatchObject({
    outcome: 'unreachable',
    detail: expect.stringContaining('does not let Castellan through to portal.example (HTTP 403)'),
  });
  const [head = ''] = proxy.heads;
  expect(head).toMatch(/^CONNECT portal\.example:443 HTTP\/1\.1\r\n/);
  expect(head).toContain(Buffer.from('CORP\\me:p@ss').toString('base64'));
});

// Guarantee: a portal on this machine or in this network is asked without the proxy.
test('a portal on this machine', async () => {
  await using proxy = await openTestProxy(() => forbidden);
  expect(await ask(`http://127.0.0.1:${proxy.port}`, server.url)).toMatchObject({ outcome: 'confirmed' });
  expect(proxy.heads).toEqual([]);
});

// Guarantee: an unencrypted request goes to no proxy: it would read the license and the token.
test('a portal without TLS', async () => {
  await using proxy = await openTestProxy(() => forbidden);
  for (const portalUrl of ['http://portal.example', 'http://127.0.0.1.example', 'http://[2606:4700::1]'])
    expect(await ask(`http://me:p%40ss@127.0.0.1:${proxy.port}`, portalUrl)).toMatchObject({
      outcome: 'unreachable',
      detail: expect.stringContaining('a proxy would see the license'),
    });
  expect(proxy.heads).toEqual([]);
});

// Guarantee: no proxy, however silent or slow, makes us wait beyond the time limit or keeps a connection.
test.each([
  ['silent', null],
  ['stuck in its head', 'HTTP/1.1 200 OK\r\nX'],
  ['silent behind its tunnel', 'HTTP/1.1 200 OK\r\n\r\n'],
])('a proxy that is %s', async (_words, says) => {
  await using proxy = await openTestProxy(() => says);
  const answer = await ask(
    `http://me:password-of-mine@127.0.0.1:${proxy.port}`,
    'https://portal.example',
    300,
  );
  expect(answer).toMatchObject({
    outcome: 'unreachable',
    detail: expect.stringMatching(/No answer came from portal\.example in time/),
  });
  expect(JSON.stringify(answer)).not.toContain('password-of-mine');
  await eventually(() => expect(proxy.sockets.size).toBe(0));
});
