import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startFileHost } from '../../../tests/simulators/file-host.ts';
import type { ApiFiles } from './api-files.ts';
import { openModFiles } from './open-mod-files.ts';
import { noApiFiles } from './testing/no-api-files.ts';
import { content, fast, fileOf, put, setUpDownloads } from './testing/served-files.ts';

// Guarantee: nothing within this machine or its network receives a request, whatever leads to it.
test('private addresses', async () => {
  const { host, faultOf } = await setUpDownloads();
  await using inner = await startFileHost();
  inner.put('/file', content);
  const file = put(host);
  for (const location of [
    inner.url(),
    inner.url().replace('http:', 'https:'),
    `https://localhost:${inner.port}/file`,
    `https://[::ffff:127.0.0.1]:${inner.port}/file`,
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ]) {
    expect(await faultOf(fileOf(content, location))).toBe('forbidden-address');
    host.behave({ status: 302, headers: { Location: location } });
    expect(await faultOf(file)).toBe('forbidden-address');
  }
  expect(inner.requests).toEqual([]);
});

test('follows five redirects and no more', async () => {
  const { host, fetch, faultOf } = await setUpDownloads();
  const file = put(host);
  const redirects = (count: number) =>
    host.behave((index) => (index < count ? { status: 307, headers: { Location: '/file' } } : {}));
  redirects(5);
  await using held = (await fetch(file)).held;
  expect(held.bytes).toBe(content.length);
  redirects(6);
  expect(await faultOf({ ...file, hashes: {} })).toBe('gone');
});

// Guarantee: only the host that the key is for receives it, and none that it redirects to.
test('the key stays with its host', async () => {
  const other = await startFileHost();
  onTestFinished(() => other[Symbol.asyncDispose]());
  other.put('/file', content);
  const keys: string[] = [];
  const api: ApiFiles = {
    ...noApiFiles,
    curseforgeKey: async (taskId) => {
      keys.push(taskId);
      return 'the-key';
    },
  };
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await using host = await startFileHost();
  const files = await openModFiles({
    cacheFolder: join(folder.path, 'cache'),
    cacheMegabytes: 100,
    allowHosts: [host.hostPort, other.hostPort],
    api,
    timing: fast,
  });
  const file = fileOf(content, host.url(), {
    from: { kind: 'address', url: host.url(), key: 'curseforge' },
  });
  const options = { taskId: 'task', signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  host.behave({ status: 401 });
  await expect(files.fetch(file, options)).rejects.toMatchObject({ fault: 'key' });
  host.behave({ status: 302, headers: { Location: other.url() } });
  await using held = await files.fetch(file, options);
  expect(held.bytes).toBe(content.length);
  expect(host.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['the-key']);
  expect(other.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
  expect(keys).toEqual(['task', 'task']);

  const stranger = {
    ...file,
    hashes: {},
    from: { ...file.from, url: 'https://example.org/file' },
  } as ModFile;
  await expect(files.fetch(stranger, options)).rejects.toMatchObject({ fault: 'key' });
  expect(keys).toHaveLength(2);
});
