import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { isDiskFull } from '#runtime/disk-space.ts';
import { untilAborted } from '#runtime/until-aborted.ts';
import { version } from '#runtime/version.ts';
import type { ModsConfig } from '../../configuration/mods-section.ts';
import { type FetchOptions, type HeldFile, ModFileError, type ModFiles } from '../mod-files.ts';
import { createAddressSource } from './address-source.ts';
import { type ApiFiles, createApiSource } from './api-files.ts';
import { download } from './download.ts';
import { type DownloadTiming, type OpenSource, usualDownloadTiming } from './download-fault.ts';
import { openFileCache } from './file-cache.ts';
import { createFileRequests } from './file-request.ts';
import { bytesOfAnother, openPartialFile } from './partial-file.ts';

const progressMs = 300;
/** How long another process's download may stall before this one stops waiting for it. */
const standstillMs = 30_000;
const lookMs = 200;

/** @throws {StartupError} when others may change the cache's folder */
export const openModFiles = async (
  options: Omit<ModsConfig, 'steamcmd'> & {
    readonly api: ApiFiles;
    readonly timing?: Partial<DownloadTiming>;
  },
): Promise<ModFiles> => {
  const { cacheFolder, cacheMegabytes, allowHosts, api } = options;
  const timing = { ...usualDownloadTiming, ...options.timing };
  const cache = await openFileCache(cacheFolder, cacheMegabytes * 1_000_000);
  const requests = createFileRequests(allowHosts);
  /** By the file's key: fetches run one after another, so that the next one finds what the first has downloaded. */
  const turns = new Map<string, Promise<unknown>>();

  const sourceOf = ({ from, hashes }: ModFile, { taskId }: FetchOptions): OpenSource => {
    if (from.kind === 'api') return createApiSource(api, taskId, from.id);
    const url = new URL(from.url);
    const open = (key: string | null) =>
      createAddressSource({
        requests,
        url,
        key,
        isProven: hasHash(hashes),
        userAgent: `Castellan-Agent/${version}`,
        idleMs: timing.idleMs,
      });
    if (from.key === null) return open(null);
    if (!takesCurseforgeKey(url) && !requests.isAllowedHost(url))
      throw new ModFileError(
        'key',
        `The CurseForge key is not shown to ${url.host}, which is not CurseForge's.`,
      );
    let opened: OpenSource | null = null;
    return async (start, signal) => {
      opened ??= open(await api.curseforgeKey(taskId, signal));
      return opened(start, signal);
    };
  };

  const fetchOne = async (file: ModFile, key: string, fetching: FetchOptions): Promise<HeldFile> => {
    const { signal, onProgress } = fetching;
    const { hashes: wanted, name, bytes } = file;
    await awaitOthers(cache.partialFolder, key, signal);
    const cached = await cache.hold(wanted, signal);
    if (cached && bytes !== null && cached.bytes !== bytes) {
      await cached[Symbol.asyncDispose]();
      throw new ModFileError('size', `${name} has ${cached.bytes} bytes where ${bytes} were promised.`);
    }
    if (cached) {
      onProgress(cached.bytes, cached.bytes);
      return cached;
    }
    const source = sourceOf(file, fetching);
    await using partial = await openPartialFile(cache.partialFolder, key, {
      isProven: hasHash(wanted),
      signal,
    });
    const found = await download({
      name,
      source,
      partial,
      wanted,
      bytes,
      timing,
      signal,
      onProgress: atIntervals(onProgress),
      makeRoom: () => cache.trim(0),
    });
    const held = await cache.add(partial.path, found);
    await partial.discard();
    onProgress(held.bytes, held.bytes);
    return held;
  };

  return {
    async fetch(file, fetching) {
      const key = keyOf(file);
      const before = turns.get(key) ?? Promise.resolve();
      const turn = untilAborted(before, fetching.signal)
        .then(() => {
          fetching.signal.throwIfAborted();
          return fetchOne(file, key, fetching);
        })
        .catch((error: unknown) => {
          if (error instanceof ModFileError || !isDiskFull(error)) throw error;
          throw new ModFileError('disk-full', `There is no room for ${file.name}.`, { cause: error });
        });
      const settled = Promise.allSettled([before, turn]).then(() => {
        if (turns.get(key) === settled) turns.delete(key);
      });
      turns.set(key, settled);
      return turn;
    },
  };
};

const hasHash = ({ sha512, sha1 }: ModFile['hashes']): boolean => sha512 !== undefined || sha1 !== undefined;

/** Only CurseForge's own hosts. */
const takesCurseforgeKey = ({ hostname, protocol }: URL): boolean =>
  protocol === 'https:' && /(?:^|\.)(?:forgecdn\.net|curseforge\.com)$/.test(hostname);

/** Names a download: by its hash, else by its source. */
const keyOf = ({ hashes, from }: ModFile): string =>
  createHash('sha256')
    .update(hashes.sha512 ?? hashes.sha1 ?? (from.kind === 'api' ? `api ${from.id}` : from.url))
    .digest('hex');

/** Waits while another process downloads the same file and makes progress. */
const awaitOthers = async (folder: string, key: string, signal: AbortSignal): Promise<void> => {
  let seen = -1;
  let movedMs = performance.now();
  for (;;) {
    const bytes = await bytesOfAnother(folder, key);
    if (bytes === null) return;
    if (bytes !== seen) [seen, movedMs] = [bytes, performance.now()];
    if (performance.now() - movedMs > standstillMs) return;
    await delay(lookMs, undefined, { signal });
  }
};

const atIntervals = (onProgress: FetchOptions['onProgress']): FetchOptions['onProgress'] => {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < progressMs) return;
    toldMs = nowMs;
    onProgress(done, total);
  };
};
