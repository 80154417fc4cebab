import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { findSystemProxy, noSystemProxy, resolveSystemProxy, storeSystemProxy } from './system-proxy.ts';

const urls = [
  'https://portal.example/',
  'https://discord.com/api',
  'wss://gateway.discord.gg',
  'https://own.lan/',
].map((text) => new URL(text));

// Guarantee: what a script decides per address becomes one proxy and its exceptions, and a kind that is not spoken is named.
test.each<[string, Readonly<Record<string, string>>, object]>([
  ['directly', {}, { proxy: '', noProxy: '', unread: null }],
  [
    'one proxy, with a way around it',
    { '': 'PROXY proxy.example:8080; DIRECT', 'own.lan': 'DIRECT' },
    { proxy: 'proxy.example:8080', noProxy: 'own.lan', unread: null },
  ],
  ['over TLS', { '': 'HTTPS proxy.example:8443' }, { proxy: 'https://proxy.example:8443', noProxy: '' }],
  [
    'several',
    { '': 'PROXY one:8080;DIRECT', 'discord.com': 'PROXY two:8080' },
    { proxy: 'one:8080', noProxy: '', unread: null },
  ],
  ['SOCKS with a fallback', { '': 'SOCKS5 four:1080; PROXY one:8080' }, { proxy: 'one:8080' }],
  ['SOCKS alone', { '': 'SOCKS four:1080' }, { proxy: '', unread: 'socks' }],
  ['an empty answer', { '': '' }, { proxy: '', unread: null }],
])('%s', async (_what, answers, expected) => {
  const asked: string[] = [];
  const resolve = async (url: string) => {
    asked.push(url);
    return answers[new URL(url).hostname] ?? answers[''] ?? 'DIRECT';
  };
  expect(await resolveSystemProxy(resolve, urls)).toMatchObject(expected);
  // Scripts know no wss, and no path is shown to them.
  expect(asked).toContain('https://gateway.discord.gg/');
  expect(asked).toContain('https://discord.com/');
});

// Guarantee: the proxy so far stays while an answer names it, at whatever place before a direct way: scripts spread their load by
// chance, or per address.
test.each<[string, Readonly<Record<string, string>>, object]>([
  ['at the second place', { '': 'PROXY two:8080; PROXY one:8080' }, { proxy: 'one:8080', noProxy: '' }],
  ['for one address', { '': 'PROXY two:8080', 'own.lan': 'PROXY one:8080' }, { proxy: 'one:8080' }],
  [
    'with exceptions',
    { '': 'PROXY two:8080; PROXY one:8080; DIRECT', 'own.lan': 'DIRECT' },
    { proxy: 'one:8080', noProxy: 'own.lan' },
  ],
  ['no longer', { '': 'PROXY two:8080; DIRECT' }, { proxy: 'two:8080' }],
  ['after a direct way', { '': 'DIRECT; PROXY one:8080' }, { proxy: '' }],
])('the proxy so far: %s', async (_what, answers, expected) => {
  const resolve = async (url: string) => answers[new URL(url).hostname] ?? answers[''] ?? 'DIRECT';
  expect(await resolveSystemProxy(resolve, urls, 'one:8080')).toMatchObject(expected);
});

// Guarantee: a service uses what the desktop found, which knows scripts; before that, what Windows' settings name.
test('without a desktop', async () => {
  await using folder = await temporaryFolder('system-proxy');
  const windows = async () => ({ proxy: 'machine:8080', bypass: '<local>', automatic: null });
  const script = async () => ({ proxy: '', bypass: '', automatic: 'script' as const });
  expect(await findSystemProxy(folder.path, async () => null)).toEqual(noSystemProxy);
  expect(await findSystemProxy(folder.path, windows)).toEqual({
    ...{ proxy: 'machine:8080', noProxy: '<local>', unread: null },
  });
  expect(await findSystemProxy(folder.path, script)).toMatchObject({ proxy: '', unread: 'script' });
  const found = { proxy: 'found:8080', noProxy: 'own.lan', unread: null };
  await storeSystemProxy(folder.path, found);
  expect(await findSystemProxy(folder.path, windows)).toEqual(found);
  await writeFile(join(folder.path, 'system-proxy.json'), 'damaged');
  expect(await findSystemProxy(folder.path, windows)).toMatchObject({ proxy: 'machine:8080' });
});
