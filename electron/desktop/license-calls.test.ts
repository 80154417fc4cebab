import { readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { StackState, StackStatus } from '#contracts/operations/stack.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { nothingSet, outside, setUpOutside } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import type { Stack } from '../stack/stack.ts';
import { licenseCalls, type PortalRoute, readProxy } from './license-calls.ts';

// Guarantee: a proxy is accepted as people type it, and anything else is refused in words.
test.each([
  ['proxy.example:8080', 'http://proxy.example:8080'],
  ['https://proxy.example', 'https://proxy.example:443'],
  ["http://me:p@ss#'ö@proxy.example:3128", 'http://me:p%40ss%23%27%C3%B6@proxy.example:3128'],
  ['http://CORP\\jdoe:pw@proxy:8080', 'http://CORP%5Cjdoe:pw@proxy:8080'],
  ["http://me:p%40ss'ö@proxy.example:3128", 'http://me:p%40ss%27%C3%B6@proxy.example:3128'],
  ['[2001:db8::1]:3128', 'http://[2001:db8::1]:3128'],
  ['2001:db8::1', 'http://[2001:db8::1]:80'],
  ['socks5://proxy.example', null],
  ['http://proxy.example/pac', null],
  ['not a proxy', null],
])('%s', (typed, expected) => {
  if (expected === null) expect(() => readProxy(typed)).toThrow(/Enter the address of the proxy/);
  else expect(readProxy(typed).reveal()).toBe(expected);
});

// Guarantee: the proxy's password is kept only in `.env`, never told to a page; an empty address removes everything.
test('the proxy is changed', async () => {
  await using home = await temporaryFolder('home');
  const path = stackEnvPath(home.path);
  await writeFile(path, '# mine\nAPI_PORT=4001\nLICENSE_PROXY=http://old.example:1\n', { mode: 0o600 });
  const portalRoute: PortalRoute = { proxy: new Secret('http://old.example:1') };
  onTestFinished(() => setUpOutside(nothingSet));
  let restarts = 0;
  const license = {} as Parameters<typeof licenseCalls>[0]['license'];
  let state: StackState = 'unlicensed';
  const stack = {
    status: () => ({ state }) as StackStatus,
    restart: async () => {
      restarts += 1;
    },
  };
  const openOutside = async () => undefined;
  const calls = licenseCalls({ home: home.path, license, portalRoute, stack, openOutside });
  const told = await calls['license.changeProxy']({ url: 'http://me:secret@proxy.example:8080' });
  expect(told).toEqual({ url: 'http://me@proxy.example:8080', hasPassword: true });
  expect(outside().settings.proxy).toBeInstanceOf(Secret);
  expect(portalRoute.proxy).toBeUndefined();
  const text = await readFile(path, 'utf8');
  expect(parseEnv(text).HTTPS_PROXY).toBe('http://me:secret@proxy.example:8080');
  expect(parseEnv(text).LICENSE_PROXY).toBeUndefined();
  expect(text.startsWith('# mine\nAPI_PORT=4001\n')).toBe(true);
  await calls['license.changeProxy']({ url: 'http://me:secret@[::1]:8080' });
  expect(parseEnv(await readFile(path, 'utf8')).HTTPS_PROXY).toBe('http://me:secret@[::1]:8080');
  // A percent sign as it was typed.
  await calls['license.changeProxy']({ url: 'http://me:100%@proxy.example:8080' });
  expect(outside().settings.proxy?.reveal()).toBe('http://me:100%25@proxy.example:8080');
  expect(await calls['license.changeProxy']({ url: '' })).toEqual({ url: null, hasPassword: false });
  expect(parseEnv(await readFile(path, 'utf8')).HTTPS_PROXY).toBeUndefined();
  expect(restarts).toBe(8);
  // A stack that the user has stopped stays stopped.
  state = 'stopped';
  expect(await calls['license.changeProxy']({ url: 'proxy.example' })).toMatchObject({ hasPassword: false });
  expect(restarts).toBe(8);
});

// Guarantee: a page can open only the customer area and the system's clock outside the desktop, and an address that is no web
// page is never passed on.
test('the customer area and the clock are opened', async () => {
  const opened: string[] = [];
  const callsWith = (customerAreaUrl: string | undefined, platform: NodeJS.Platform) =>
    licenseCalls({
      home: 'unused',
      license: { status: () => ({ customerAreaUrl }) } as unknown as LicenseClient,
      portalRoute: { proxy: undefined },
      stack: {} as Stack,
      openOutside: async (url) => void opened.push(url),
      platform,
    });
  const windows = callsWith('https://portal.example/account', 'win32');
  expect(await windows['license.open']({ page: 'customer-area' })).toEqual({ isOpened: true });
  expect(await windows['license.open']({ page: 'clock' })).toEqual({ isOpened: true });
  expect(opened).toEqual(['https://portal.example/account', 'ms-settings:dateandtime']);
  const closed = { isOpened: false };
  expect(await callsWith(undefined, 'linux')['license.open']({ page: 'clock' })).toEqual(closed);
  for (const address of [undefined, '', 'file:///etc/passwd', 'javascript:alert(1)', 'C:\\calc.exe'])
    expect(await callsWith(address, 'linux')['license.open']({ page: 'customer-area' })).toEqual(closed);
  expect(opened).toHaveLength(2);
});
