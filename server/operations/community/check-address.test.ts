import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { publicAddressHttp } from '#contracts/operations/public-address.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { freePort } from '#harness/ports.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { Secret } from '#runtime/secret.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { createCheckAddress } from './check-address.ts';

const running = apiForThisFile();
const owned = new AsyncDisposableStack();
afterAll(() => owned.disposeAsync());

/** In front of the API, as a proxy of a stranger's making would be. @returns its port */
const proxy = async (answer: (path: string) => Promise<[status: number, headers: object, body: string]>) => {
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(([status, headers, body]) =>
      response.writeHead(status, { ...headers }).end(body),
    );
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  owned.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const check = async (address: string) => {
  const { json } = await call(running().port, publicAddressHttp.check, {
    as: testDesktopCredential,
    body: { address },
  });
  return json;
};
const own = () => `http://127.0.0.1:${running().port}`;
const here = (address: string) => ({ address, isPublic: false, isEncrypted: false });

// Guarantee: an address counts as this API's only if the API itself has answered there, and what a proxy in between hides is named.
test('whose address it is', async () => {
  expect(await check(`${own()}/`)).toEqual({ ...here(own()), fault: null, detail: null, warnings: [] });
  const pass = (headers: Record<string, string>) => async (path: string) => {
    const { status, text } = await ask(running().port, path, { headers });
    return [status, { 'Content-Type': 'application/json' }, text] as [number, object, string];
  };
  const hiding = `http://127.0.0.1:${await proxy(pass({ Host: 'upstream:3000', 'X-Forwarded-For': '192.0.2.1' }))}`;
  expect(await check(hiding)).toMatchObject({ fault: null, warnings: ['host', 'senders'] });
  const foreign = async (answer: readonly [status: number, headers: object, body: string]) =>
    `http://127.0.0.1:${await proxy(async () => [...answer])}`;
  for (const [answer, fault, detail] of [
    [[200, {}, 'another page'], 'someone-else', null],
    [
      [200, {}, JSON.stringify({ proof: 'x'.repeat(43), host: 'a', protocol: 'http', believesProxy: null })],
      'someone-else',
      null,
    ],
    [[200, {}, 'x'.repeat(3_000_000)], 'someone-else', null],
    [[301, { Location: 'https://elsewhere.example/' }, ''], 'redirected', 'https://elsewhere.example/'],
  ] as const)
    expect(await check(await foreign(answer))).toMatchObject({ fault, detail });
  const closed = await freePort();
  expect(await check(`http://127.0.0.1:${closed}`)).toMatchObject({
    fault: 'no-answer',
    detail: outsideReasons['outside-refused'](`127.0.0.1:${closed}`),
  });
  expect(await check('http://nothing.invalid')).toMatchObject({ fault: 'unknown-name', isPublic: false });
});

// Guarantee: what no browser takes for an address is refused as the field's fault, when it is checked and when it is saved.
test.each([
  'http://%',
  'https://a:b',
  'https://[1',

  'https://a^b',
  'ftp://a.example',
  'a.example',
])('no address: %s', async (address) => {
  const { port } = running();
  const checked = await call(port, publicAddressHttp.check, { as: testDesktopCredential, body: { address } });
  const values = { publicAddress: address };
  const saved = await call(port, settingsHttp.change, {
    as: testDesktopCredential,
    params: { section: 'general' },
    body: { version: 1, values },
  });
  for (const [answer, path] of [
    [checked, 'body.address'],
    [saved, 'body.values.publicAddress'],
  ] as const)
    expect([answer.status, answer.json]).toMatchObject([400, { errors: [{ path }] }]);
});

// Guarantee: a certificate that is not valid for the address is named as such, and a name that leads to the internet as well.
test('what can be told of a name', async () => {
  const { key, cert } = selfSigned();
  const server = createTlsServer({ key, cert }, (_request, response) => response.end());
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  owned.defer(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await check(`https://127.0.0.1:${port}`)).toMatchObject({
    ...{ fault: 'certificate', detail: expect.stringContaining('is signed by itself'), isEncrypted: true },
  });
  for (const [addresses, isPublic] of [
    [['198.51.101.7', '2a01:4f8::1'], true],
    [['198.51.101.7', '192.168.1.2'], false],
  ] as const) {
    const probe = { lookup: async () => addresses, fetch: () => Promise.reject(new Error('away')) };
    const checkBy = createCheckAddress(new Secret('internal'), { probe });
    expect(await checkBy('https://panel.example.com', thisMachine)).toMatchObject({ isPublic });
  }
});
