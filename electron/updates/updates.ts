import { join } from 'node:path';
import type { UpdatesState } from '#contracts/desktop-updates.ts';
import { fetchActions } from './fetch-actions.ts';
import { installActions } from './install-actions.ts';
import { openKeptInstallers } from './kept-installers.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import type { UpdateMeans, UpdatesOptions } from './updates-options.ts';
import { openUpdatesStanding } from './updates-standing.ts';

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
    facts.wayBack = await own.kept.newestBefore(installed);
    const wanted = [installed, facts.wayBack, record.now().newestSeen?.version];
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
