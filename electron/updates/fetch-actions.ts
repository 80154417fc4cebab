import { join } from 'node:path';
import { keepInstalled } from './keep-installed.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import { createUpdater, type Updater } from './updater.ts';
import type { UpdateMeans, UpdatesOptions } from './updates-options.ts';
import type { UpdatesStanding } from './updates-standing.ts';

export interface FetchActions {
  check(): Promise<void>;
  download(): Promise<void>;
}

/** The requests to the update server. */
export const fetchActions = (
  { folder, installed, record, fetch, log }: UpdatesOptions,
  { act, facts, step, tell }: UpdatesStanding,
  means: () => UpdateMeans,
): FetchActions => {
  let updater: Promise<Updater> | null = null;

  const theUpdater = () => {
    const { source, installation } = means();
    updater ??= createUpdater({
      source,
      platform: installation.platform,
      folder,
      fetch,
      standing: () => ({
        installed,
        newestSeen: record.now().newestSeen,
        platform: installation.platform,
        now: new Date(),
      }),
      onSeen: async ({ manifest: { version, releasedAt } }) =>
        record.change({ newestSeen: { version, releasedAt } }),
    });
    updater.catch(() => {
      updater = null;
    });
    return updater;
  };
  /** A missing way back is no reason to stay with an old version. */
  const keepWayBack = async (signal: AbortSignal) => {
    const { source, installation, kept } = means();
    const { platform } = installation;
    const surroundings = {
      installed,
      source,
      platform,
      kept,
      fetch,
      signal,
      folder: join(folder, 'download'),
    };
    await keepInstalled(surroundings).catch((error: unknown) => {
      if (signal.aborted) throw error;
      log.warn(
        { err: error },
        `could not get the installer of ${installed}; no rollback to it will be possible`,
      );
    });
  };

  return {
    check() {
      const { kept } = means();
      if (record.now().mode === 'off') throw new UpdateTroubleError('unexpected', 'Updates are turned off.');
      const before = step();
      return act(
        'checking',
        () => (facts.offer ? (before ?? 'found') : null),
        async (signal) => {
          const found = await (await theUpdater()).check(signal).catch((error: unknown) => {
            facts.hasFailedAt = new Date();
            // The earlier offer may be what is wrong.
            if (!(error instanceof UpdateTroubleError && error.code === 'unreachable')) facts.offer = null;
            throw error;
          });
          facts.hasFailedAt = null;
          facts.offer = found;
          facts.isNewest = found === null;
          await record.change({ lastCheckedAt: new Date().toISOString() });
          if (!found) return null;
          return (await kept.find(found.release.manifest.version)) ? 'ready' : 'found';
        },
      );
    },
    download() {
      const { kept } = means();
      const { offer } = facts;
      if (!offer || step() !== 'found')
        throw new UpdateTroubleError('unexpected', 'There is no update to download.');
      const { release, file } = offer;
      return act(
        'downloading',
        () => 'found',
        async (signal) => {
          let told = 0;
          const path = await (await theUpdater()).download(signal, (bytes) => {
            facts.received = bytes;
            // About a hundred steps are enough for a page.
            if (bytes - told < file.size / 100 && bytes < file.size) return;
            told = bytes;
            tell();
          });
          await kept.keep(release, file, path);
          await keepWayBack(signal);
          return 'ready';
        },
      );
    },
  };
};
