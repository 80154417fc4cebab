import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { type FileHost, startFileHost } from '../../../../tests/simulators/file-host.ts';
import { ModFileError } from '../../mod-files.ts';
import type { ApiFiles } from '../api-files.ts';
import type { DownloadTiming } from '../download-fault.ts';
import { openModFiles } from '../open-mod-files.ts';
import { noApiFiles } from './no-api-files.ts';

export const hashesOf = (content: Buffer) => ({
  sha512: createHash('sha512').update(content).digest('hex'),
  sha1: createHash('sha1').update(content).digest('hex'),
});
export const fileOf = (content: Buffer, url: string, changes: Partial<ModFile> = {}): ModFile => ({
  name: 'mod.jar',
  bytes: content.length,
  hashes: hashesOf(content),
  from: { kind: 'address', url, key: null },
  ...changes,
});
export const fast: Partial<DownloadTiming> = {
  firstRetryMs: 5,
  mostRetryMs: 20,
  patienceMs: 20_000,
  idleMs: 5000,
};

export const setUpDownloads = async ({
  api = noApiFiles,
  timing,
  cacheMegabytes = 100,
  allowHosts,
}: {
  readonly api?: ApiFiles;
  readonly timing?: Partial<DownloadTiming>;
  readonly cacheMegabytes?: number;
  readonly allowHosts?: readonly string[];
} = {}) => {
  const folder = await temporaryFolder('mods');
  const host = await startFileHost();
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const cacheFolder = join(folder.path, 'cache');
  const open = () =>
    openModFiles({
      cacheFolder,
      cacheMegabytes,
      allowHosts: allowHosts ?? [host.hostPort],
      api,
      timing: { ...fast, ...timing },
    });
  const files = await open();
  const fetchWith = async (file: ModFile, signal = AbortSignal.timeout(60_000)) => {
    const progress: [number, number | null][] = [];
    const held = await files.fetch(file, {
      taskId: 'task',
      signal,
      onProgress: (done, total) => progress.push([done, total]),
    });
    return { held, progress };
  };
  const faultOf = (file: ModFile) =>
    fetchWith(file).then(
      () => 'none',
      (error: unknown) => (error instanceof ModFileError ? error.fault : String(error)),
    );
  return { host, cacheFolder, open, files, fetch: fetchWith, faultOf };
};

export const content = randomBytes(1_000_000);
export const put = (host: FileHost, path = '/file') => {
  host.put(path, content);
  return fileOf(content, host.url(path));
};
