import { expect, test } from 'vitest';
import {
  accountSettings,
  machineSettings,
  proxyForHttps,
  readInternetSettings,
} from './internet-settings.ts';

// Guarantee: of all forms that Windows accepts, the proxy for https is found.
test.each([
  ['proxy:8080', 'proxy:8080'],
  ['http://proxy.example:8080/', 'http://proxy.example:8080'],
  ['http=one:80;https=two:8443;ftp=three:21;socks=four:1080', 'two:8443'],
  ['http=one:80 https=http://two:8443', 'http://two:8443'],
  ['HTTPS=two:8443', 'two:8443'],
  // A proxy for http alone carries no https: https://chromium.googlesource.com/chromium/src/+/HEAD/net/docs/proxy.md
  ['http=one:80', ''],
  ['socks=four:1080', ''],
  ['https=socks://four:1080', ''],
  ['[fd00::1]:3128', '[fd00::1]:3128'],
  ['', ''],
])('%s', (setting, proxy) => expect(proxyForHttps(setting)).toBe(proxy));

const lines = (...values: readonly string[]) => `\r\nHKEY_CURRENT_USER\\x\r\n${values.join('\r\n')}\r\n\r\n`;
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const binary = (flags: number, ...texts: readonly string[]) =>
  Buffer.concat([
    number(0x28),
    number(0),
    number(flags),
    ...texts.flatMap((text) => [number(text.length), Buffer.from(text)]),
    number(0),
  ])
    .toString('hex')
    .toUpperCase();

// Guarantee: a proxy that is switched off does not count, and what decides by itself is named.
test.each([
  [
    'a proxy',
    [
      '    ProxyEnable    REG_DWORD    0x1',
      '    ProxyServer    REG_SZ    proxy:8080',
      '    ProxyOverride    REG_SZ    10.20.*;*.example.com;<local>',
    ],
    1,
    { proxy: 'proxy:8080', bypass: '10.20.*;*.example.com;<local>', automatic: null },
  ],
  [
    'one that is switched off',
    ['    ProxyEnable    REG_DWORD    0x0', '    ProxyServer    REG_SZ    proxy:8080'],
    1,
    { proxy: '', automatic: null },
  ],
  [
    'a script',
    ['    AutoConfigURL    REG_SZ    http://wpad.example/proxy.pac'],
    0xd,
    { proxy: '', automatic: 'script' },
  ],
  ['detection', ['    ProxyEnable    REG_DWORD    0x0'], 9, { proxy: '', automatic: 'detection' }],
  ['nothing', [], 1, { proxy: '', bypass: '', automatic: null }],
])('an account with %s', (_what, values, flags, expected) => {
  const connections = lines(`    DefaultConnectionSettings    REG_BINARY    ${binary(flags, '', '')}`);
  expect(accountSettings(lines(...values), connections)).toMatchObject(expected);
});

test.each([
  [binary(3, 'http=one:80;https=two:8443', '<local>;*.lan'), { proxy: 'two:8443', bypass: '<local>;*.lan' }],
  [binary(1, '', ''), { proxy: '', bypass: '' }],
  // Cut, as a tool of another maker may leave it.
  [binary(3, 'proxy:8080').slice(0, 20), { proxy: '' }],
  ['', { proxy: '' }],
])('WinHTTP %#', (hex, expected) => {
  expect(machineSettings(lines(`    WinHttpSettings    REG_BINARY    ${hex}`))).toMatchObject(expected);
});

// Guarantee: a service, whose account has no proxy of its own, uses the machine's; a Windows that says nothing is told apart.
test('whose settings count', async () => {
  const machine = lines(`    WinHttpSettings    REG_BINARY    ${binary(3, 'machine:8080', '')}`);
  const account = lines('    ProxyEnable    REG_DWORD    0x1', '    ProxyServer    REG_SZ    own:8080');
  const answers = (own: string) => async (_program: string, args: readonly string[]) => {
    if (args[1]?.startsWith('HKLM')) return machine;
    return args[1]?.endsWith('Connections') ? '' : own;
  };
  expect(await readInternetSettings(answers(lines()))).toMatchObject({ proxy: 'machine:8080' });
  expect(await readInternetSettings(answers(account))).toMatchObject({ proxy: 'own:8080' });
  expect(await readInternetSettings(() => Promise.reject(new Error('no reg.exe')))).toBeNull();
});
