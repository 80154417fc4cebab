import { Agent, type RequestOptions, request } from 'node:https';
import { afterAll, expect, test } from 'vitest';
import { privateAuthority } from '#harness/private-authority.ts';
import { type ConnectProxyOptions, startConnectProxy } from './connect-proxy.ts';
import { startHttpsServer } from './https-server.ts';

const company = privateAuthority();
const antivirus = privateAuthority('Antivirus Personal Root');
const server = await startHttpsServer({
  authority: company,
  hosts: ['portal.example.test'],
  answer: (_request, response) => void response.end('hello'),
});
afterAll(() => server[Symbol.asyncDispose]());

/** @returns the body, or the code of the failure */
const get = (way: string, ca: string, options: RequestOptions = {}): Promise<string> =>
  new Promise((resolve) => {
    const agent = new Agent({ proxyEnv: { HTTPS_PROXY: way }, ca });
    const asked = request('https://portal.example.test/', { agent, timeout: 300, ...options });
    asked.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => {
        agent.destroy();
        resolve(text);
      });
    });
    asked.on('timeout', () => asked.destroy(Object.assign(new Error(), { code: 'TIMEOUT' })));
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });

// Guarantee: each fault that the proxy is told to have reaches an independent client, Node's own.
test.each<[string, ConnectProxyOptions, string]>([
  ['opens a tunnel', {}, 'hello'],
  ['speaks HTTP/1.0', { http: '1.0' }, 'hello'],
  ['waits', { delayMs: 20 }, 'hello'],
  ['demands Basic', { demands: { user: 'jdoe', password: 'pw' } }, 'ERR_PROXY_TUNNEL'],
  ['demands NTLM', { demands: 'NTLM' }, 'ERR_PROXY_TUNNEL'],
  ['demands Negotiate', { demands: 'Negotiate' }, 'ERR_PROXY_TUNNEL'],
  ['refuses', { fault: 403 }, 'ERR_PROXY_TUNNEL'],
  ['answers with a page', { fault: 'html' }, 'ECONNRESET'],
  ['resets', { fault: 'reset' }, 'ECONNRESET'],
  ['is silent', { fault: 'silence' }, 'ERR_PROXY_TUNNEL'],
  ['looks into TLS', { intercepts: antivirus }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])('%s', async (_what, options, expected) => {
  await using proxy = await startConnectProxy({ names: { 'portal.example.test': server.port }, ...options });
  expect(await get(proxy.url, company.cert)).toBe(expected);
  expect(proxy.asked).toEqual(['CONNECT portal.example.test:443']);
});

test('a password that fits, and an authority that is trusted', async () => {
  await using proxy = await startConnectProxy({
    names: { 'portal.example.test': server.port },
    demands: { user: 'CORP\\jdoe', password: 'p:w' },
    intercepts: antivirus,
  });
  const way = proxy.url.replace('//', '//CORP%5Cjdoe:p%3Aw@');
  expect(await get(way, antivirus.cert)).toBe('hello');
});
