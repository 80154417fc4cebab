import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { openTestProxy, openTlsSite } from '#harness/outside-servers.ts';
import { freePort } from '#harness/ports.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { readProxyAddress } from './proxy-address.ts';
import { ProxyError, TunnelAgent } from './proxy-tunnel.ts';

const company = privateAuthority('Example Corp Root');
const antivirus = privateAuthority('Antivirus Web Shield Root');
const proxyAt = (port: number, scheme = 'http') => {
  const proxy = readProxyAddress(`${scheme}://me:pass-word@127.0.0.1:${port}`);
  if (!proxy) throw new Error('not read');
  return proxy;
};

const ask = async (agent: https.Agent, port: number): Promise<number | undefined> => {
  const request = https.get({ host: 'localhost', port, agent, ca: company.cert });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
};

// Guarantee: the agent of a way that another one has replaced keeps no connection, and what still asks through it is answered.
test('an agent that is retired', async () => {
  await using site = await openTlsSite(company.issue(['localhost']));
  await using proxy = await openTestProxy(() => site.port);
  const agent = new TunnelAgent(proxyAt(proxy.port), null);
  expect(await ask(agent, site.port)).toBe(200);
  await eventually(() => expect(Object.values(agent.freeSockets).flat()).toHaveLength(1));
  agent.retire();
  await eventually(() => expect(proxy.sockets.size).toBe(0));
  expect(await ask(agent, site.port)).toBe(200);
  await eventually(() => expect(proxy.sockets.size).toBe(0));
});

/** How a proxy fails, what it says to CONNECT, and the code of what is told of it. */
const failures: readonly (readonly [string, string | null, RegExp])[] = [
  ['refuses', 'HTTP/1.1 403 No\r\n\r\n', /^PROXY_FORBIDS$/],
  ['wants a sign-in', 'HTTP/1.1 407 No\r\nProxy-Authenticate: NTLM\r\n\r\n', /^PROXY_SIGN_IN_UNSUPPORTED$/],
  ['says yes, and shows a page', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>', /SSL|EPROTO/],
  ['says yes, and speaks no TLS', 'HTTP/1.1 200 OK\r\n\r\nhello', /SSL|EPROTO/],
  ['is none', 'SSH-2.0-x\r\n\r\n', /^PROXY_ODD$/],
  ['does not answer', null, /^PROXY_SILENT$/],
  ['says yes, and then nothing', 'HTTP/1.1 200 OK\r\n\r\n', /^PROXY_SILENT$/],
  ['cuts', 'reset', /^PROXY_AWAY$/],
];

// Guarantee: whatever an optional proxy does in place of leading to a server, the server is reached without it, and what it did is
// told; one that keeps silent is not waited for by the next connection to that server.
test.each(failures)('an optional proxy that %s', async (_what, says, code) => {
  await using site = await openTlsSite(company.issue(['localhost']));
  await using proxy = await openTestProxy(() => (says === 'reset' ? 'reset' : says));
  const told: unknown[] = [];
  const isSilent = String(code).includes('SILENT');
  const optional = {
    onPassedOver: (error: unknown) => void told.push(error),
    waitMs: isSilent ? 300 : 60_000,
  };
  const agent = new TunnelAgent(proxyAt(proxy.port), optional);
  expect(await ask(agent, site.port)).toBe(200);
  expect(told).toEqual([expect.objectContaining({ code: expect.stringMatching(code) })]);
  agent.destroy();
  expect(await ask(agent, site.port)).toBe(200);
  expect(proxy.heads).toHaveLength(isSilent ? 1 : 2);
  agent.destroy();
});

// Guarantee: the same of one that looks into connections without being trusted, and of one whose own certificate is not.
test('an optional proxy with a certificate of a stranger', async () => {
  await using site = await openTlsSite(company.issue(['localhost']));
  await using between = await openTlsSite(antivirus.issue(['localhost']));
  await using intercepting = await openTestProxy(() => between.port);
  await using encrypted = await openTlsSite(antivirus.issue(['127.0.0.1']));
  const told: unknown[] = [];
  const onPassedOver = (error: unknown) => void told.push(error);
  for (const proxy of [proxyAt(intercepting.port), proxyAt(encrypted.port, 'https')]) {
    const agent = new TunnelAgent(proxy, { onPassedOver });
    expect(await ask(agent, site.port)).toBe(200);
    agent.destroy();
  }
  expect(told).toMatchObject([{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, { code: 'PROXY_AWAY' }]);
});

// Guarantee: an optional proxy that works is used, and one that was set is never passed over.
test('who is passed over', async () => {
  await using site = await openTlsSite(company.issue(['localhost']));
  await using proxy = await openTestProxy(() => site.port);
  const through = new TunnelAgent(proxyAt(proxy.port), { onPassedOver: () => expect.unreachable() });
  expect(await ask(through, site.port)).toBe(200);
  expect(proxy.heads).toHaveLength(1);
  through.destroy();
  const set = new TunnelAgent(proxyAt(await freePort()), null);
  await expect(ask(set, site.port)).rejects.toThrow(ProxyError);
});
