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
  ['the binary form alone', [], 3, { proxy: 'binary:8080', bypass: '<local>', automatic: null }],
  ['a script in the binary form alone', [], 5, { proxy: '', automatic: 'script' }],
  [
    'a proxy that only the binary form has on',
    ['    ProxyEnable    REG_DWORD    0x0'],
    3,
    { proxy: '', automatic: null },
  ],
])('an account with %s', (_what, values, flags, expected) => {
  const connections = lines(
    `    DefaultConnectionSettings    REG_BINARY    ${binary(flags, 'binary:8080', '<local>')}`,
  );
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
    if (args[1]?.includes('Policies')) throw new Error('no such key');
    if (args[1]?.startsWith('HKLM')) return args[1].endsWith('Connections') ? machine : '';
    return args[1]?.endsWith('Connections') ? '' : own;
  };
  expect(await readInternetSettings(answers(lines()))).toMatchObject({ proxy: 'machine:8080' });
  expect(await readInternetSettings(answers(account))).toMatchObject({ proxy: 'own:8080' });
  expect(await readInternetSettings(() => Promise.reject(new Error('no reg.exe')))).toBeNull();
});

// Guarantee: where a policy makes proxy settings those of the machine, they are read there and no account's counts, as in Windows
// (mattn/go-ieproxy#22, carsonyl/pypac#85).
test.each([
  ['REG_DWORD    0x0', { proxy: 'machine:8080', bypass: '<local>', automatic: null }],
  ['REG_DWORD    0x1', { proxy: 'own:8080', bypass: '', automatic: null }],
  // Windows does not read it as a text.
  ['REG_SZ    0', { proxy: 'own:8080', bypass: '', automatic: null }],
])('the policy %s', async (policy, expected) => {
  const on = (proxy: string) => [
    '    ProxyEnable    REG_DWORD    0x1',
    `    ProxyServer    REG_SZ    ${proxy}`,
  ];
  const answers: Readonly<Record<string, string>> = {
    'HKLM\\SOFTWARE\\Policies': lines(`    ProxySettingsPerUser    ${policy}`),
    'HKLM\\SOFTWARE\\Microsoft': lines(...on('machine:8080'), '    ProxyOverride    REG_SZ    <local>'),
    'HKCU\\Software\\Microsoft': lines(...on('own:8080')),
  };
  const run = async (_program: string, [, key = '']: readonly string[]) =>
    key.endsWith('Connections') ? '' : (answers[key.split('\\').slice(0, 3).join('\\')] ?? '');
  expect(await readInternetSettings(run)).toEqual(expected);
});

// Guarantee: a script that is set for the whole machine by policy is named to services, too.
test('a script by policy', async () => {
  const run = async (_program: string, [, key = '']: readonly string[]) => {
    if (key.includes('Policies')) return lines('    ProxySettingsPerUser    REG_DWORD    0x0');
    return key.startsWith('HKLM') && !key.endsWith('Connections')
      ? lines(
          '    ProxyEnable    REG_DWORD    0x0',
          '    AutoConfigURL    REG_SZ    http://proxy.example/a.pac',
        )
      : '';
  };
  expect(await readInternetSettings(run)).toMatchObject({ proxy: '', automatic: 'script' });
});
