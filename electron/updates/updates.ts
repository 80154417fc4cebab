import { join } from 'node:path';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { compareVersions } from '#runtime/release/version-order.ts';
import { fetchInstaller, fetchRelease } from './fetch-release.ts';
import { installActions } from './install-actions.ts';
import { openKeptInstallers } from './kept-installers.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import { createUpdater, type Updater } from './updater.ts';
import {
  openUpdatesStanding,
  type UpdateMeans,
  type UpdatesOptions,
  type UpdatesStanding,
} from './updates-standing.ts';

/** Newer versions of this program: found, downloaded, installed, and gone back from. */
export interface Updates extends Disposable {
  state(): UpdatesState;
  /** Resolves when it is known whether there is a way back. */
  readonly lookedBack: Promise<void>;
  setMode(mode: 'off' | 'ask'): Promise<void>;
  /** Its errors become part of the state. */
  check(): Promise<void>;
  download(): Promise<void>;
  cancel(): void;
  skip(): Promise<void>;
  install(): Promise<void>;
  goBack(): Promise<void>;
  dismiss(): Promise<void>;
}

const lookEveryMs = 60_000;

export const openUpdates = (options: UpdatesOptions): Updates => {
  const { installed, record, log } = options;
  const standing = openUpdatesStanding(options);
  const { facts, tell } = standing;
  const own = meansOf(options);
  const means = (): UpdateMeans => {
    if (!own) throw new UpdateTroubleError('unexpected', 'This copy of Castellan does not update itself.');
    return own;
  };
  const { check, download } = fetchActions(options, standing, means);
  const { install, goBack } = installActions(options, standing, means);

  const look = () => {
    if (standing.isBusy() || record.now().mode === 'off' || standing.step() === 'ready') return;
    if (standing.due().getTime() > Date.now()) return;
    check().catch((error: Error) => log.warn({ err: error }, 'could not check for updates'));
  };
  const timer = own ? setInterval(look, lookEveryMs) : null;
  timer?.unref();
  const lookBack = async () => {
    if (!own) return;
    const earlier = await own.kept.newestBefore(installed);
    facts.wayBack = await wayBackOf(own, installed, earlier);
    const wanted = [installed, facts.wayBack ?? earlier, record.now().newestSeen?.version];
    await own.kept.keepOnly(wanted.filter((each) => typeof each === 'string'));
    tell();
  };
  // Verifying an installer takes a while, and no window has to wait for it.
  const lookedBack = lookBack().catch((error: Error) =>
    log.warn({ err: error }, 'could not read the kept installers'),
  );

  return {
    state: standing.state,
    lookedBack,
    async setMode(mode) {
      await record.change({ mode });
      if (mode === 'off') {
        standing.callOff();
        if (!standing.isBusy()) standing.forget();
      }
      tell();
    },
    check,
    download,
    cancel: standing.callOff,
    async skip() {
      const { offer } = facts;
      if (offer) await record.change({ skipped: offer.release.manifest.version });
      tell();
    },
    install,
    goBack,
    async dismiss() {
      // A version on trial stays on trial.
      const isOnTrial = record.now().pending?.to === installed;
      await record.change({ outcome: null, ...(!isOnTrial && { pending: null }) });
      tell();
    },
    [Symbol.dispose]() {
      if (timer) clearInterval(timer);
      standing.callOff();
    },
  };
};

const meansOf = ({ folder, source, installation }: UpdatesOptions): UpdateMeans | null =>
  source &&
  installation && {
    source,
    installation,
    kept: openKeptInstallers(join(folder, 'kept'), source.keys, installation.platform),
  };

/** @param earlier the newest kept version before the installed one, which may only have been downloaded */
const wayBackOf = async (
  { installation, kept }: UpdateMeans,
  installed: string,
  earlier: string | null,
): Promise<string | null> => {
  if (!installation.wayBackFrom) return earlier;
  const replaced = await installation.wayBackFrom(installed);
  if (replaced === null || compareVersions(replaced, installed) >= 0) return null;
  return replaced === earlier || (await kept.find(replaced)) ? replaced : null;
};

/** The requests to the update server. */
const fetchActions = (
  { folder, installed, record, fetch, log }: UpdatesOptions,
  { act, facts, step, tell }: UpdatesStanding,
  means: () => UpdateMeans,
) => {
  let updater: Updater | null = null;

  const theUpdater = () => {
    const { source, installation } = means();
    updater ??= createUpdater({
      source,
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
    return updater;
  };
  /**
   * Keeps the installer of the running version, without which there is no way back; the first one was brought by hand. If
   * the server no longer has it, that is no reason to stay with an old version.
   */
  const keepWayBack = async (signal: AbortSignal) => {
    const { source, installation, kept } = means();
    try {
      if (await kept.find(installed)) return;
      const release = await fetchRelease(source, installed, { fetch, signal });
      const file = release.manifest.files.find(({ platform }) => platform === installation.platform);
      if (!file) return;
      const path = join(folder, 'download', `installed-${file.name}`);
      const url = `${source.url}${installed}/${file.name}`;
      await fetchInstaller({ fetch, signal, url, path, expected: file, onProgress: () => undefined });
      await kept.keep(release, file, path);
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn(
        { err: error },
        `could not get the installer of ${installed}; no rollback to it will be possible`,
      );
    }
  };

  return {
    check(): Promise<void> {
      const { kept } = means();
      if (record.now().mode === 'off') throw new UpdateTroubleError('unexpected', 'Updates are turned off.');
      const before = step();
      return act(
        'checking',
        () => (facts.offer ? (before ?? 'found') : null),
        async (signal) => {
          const found = await theUpdater()
            .check(signal)
            .catch((error: unknown) => {
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
    download(): Promise<void> {
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
          const path = await theUpdater().download(signal, (bytes) => {
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
