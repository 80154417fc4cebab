import { join } from 'node:path';
import type { App } from 'electron';
import type { Log } from '#runtime/log.ts';
import { version as installed } from '#runtime/version.ts';
import type { RunElevated } from '../../elevation/run-elevated.ts';
import { installOutcome } from '../../updates/health-probation.ts';
import { leavingTask } from '../../updates/install-actions.ts';
import { type Installation, installationOf } from '../../updates/installation.ts';
import { openKeptInstallers } from '../../updates/kept-installers.ts';
import { noteReadsAnyLetter, unreadableHome } from '../../updates/unreadable-home.ts';
import {
  openUpdateRecord,
  type PendingInstallation,
  type UpdateOutcome,
  type UpdateRecord,
  type UpdateRecordStore,
} from '../../updates/update-record.ts';
import { readUpdateSource, type UpdateSource } from '../../updates/update-source.ts';
import { lastSetupFailure } from '../../updates/windows-installer.ts';
import { confirmRollback } from './confirm-rollback.ts';
import type { UpdateWords } from './update-words.ts';

interface BeginUpdatesOptions {
  readonly app: App;
  readonly programsFolder: string;
  readonly appImage: string | undefined;
  /** The data folder, which the version before has to open. */
  readonly home: () => Promise<string>;
  readonly runElevated: RunElevated;
  /** Whether no account without an administrator's rights could replace the program's files. */
  readonly isClosed: () => Promise<boolean>;
  readonly words: UpdateWords;
  readonly log: Log;
  readonly startAfterwards: (program: string) => void;
}

/** What is known of updates before the rest of the desktop is there. */
export interface UpdatesBeginning {
  readonly folder: string;
  readonly record: UpdateRecordStore;
  readonly source: UpdateSource | null;
  readonly installation: Installation | null;
}

/**
 * Reads the result of the last update, and counts this start of a new version. Null: the new version has crashed several
 * times, and this start makes way for the one before.
 */
export const beginUpdates = async (options: BeginUpdatesOptions): Promise<UpdatesBeginning | null> => {
  const { app, programsFolder, log } = options;
  const folder = join(app.getPath('userData'), 'updates');
  const record = await openUpdateRecord(folder);
  const source = await readUpdateSource(programsFolder).catch((error: Error) => {
    // A program that cannot be updated can still be used.
    log.error({ err: error }, 'could not read the update source; there will be no updates');
    return null;
  });
  const installation = installationOf({
    platform: process.platform,
    isInstalled: await isInstalled(options),
    appImage: options.appImage,
    runElevated: options.runElevated,
    keys: source?.keys ?? [],
    startAfterwards: options.startAfterwards,
  });
  const giveUp = (error: Error) => {
    log.error({ err: error }, 'could not roll back to the previous version');
    return false;
  };
  const beginning = { folder, record, source, installation };
  /** A full disk must not prevent a start; what is not written down is determined again. */
  const keep = (change: Partial<UpdateRecord>) =>
    record
      .change(change)
      .catch((error: Error) => log.error({ err: error }, 'could not store the state of the update'));
  await noteReadsAnyLetter(record, installed).catch((error: Error) =>
    log.error({ err: error }, 'could not store that this version opens folders of any letters'),
  );
  const verdict = installOutcome(record.now().pending, installed);
  switch (verdict.kind) {
    case 'nothing':
      return beginning;
    case 'superseded':
      await keep({ pending: null, outcome: null });
      return beginning;
    case 'not-installed':
      // The pending one stays: an installer may still be running.
      await keep({ pending: verdict.pending, outcome: await explained(verdict.outcome) });
      return beginning;
    case 'went-back':
      await keep({ pending: null, outcome: verdict.outcome, unhealthy: verdict.outcome.from });
      return beginning;
    case 'on-trial':
    case 'crashed': {
      const { pending } = verdict;
      if (verdict.kind === 'crashed' && (await goBack(pending, beginning, options).catch(giveUp)))
        return null;
      const { starts } = record.now().pending ?? pending;
      await keep({
        pending: { ...pending, starts: starts + 1 },
        ...(verdict.kind === 'on-trial' && { outcome: null }),
      });
      return beginning;
    }
  }
};

const isInstalled = async ({ app, isClosed }: BeginUpdatesOptions): Promise<boolean> =>
  app.isPackaged && (process.platform !== 'win32' || (await isClosed()));

/** The installer for Windows, which runs when we have ended, leaves its reason for us. */
const explained = async (outcome: UpdateOutcome): Promise<UpdateOutcome> => {
  if (process.platform !== 'win32' || outcome.detail !== null) return outcome;
  return { ...outcome, detail: await lastSetupFailure(outcome.to) };
};

/** @returns whether another version is about to take over */
const goBack = async (
  pending: PendingInstallation,
  { folder, record, source, installation }: UpdatesBeginning,
  { home, words, log }: BeginUpdatesOptions,
): Promise<boolean> => {
  const { from, to } = pending;
  if (!source || !installation) return false;
  const kept = await openKeptInstallers(join(folder, 'kept'), source.keys, installation.platform).find(from);
  const message = words.crashed(to);
  if (!kept) {
    // There may be no one to read it; it is tried once more, and reported once it works.
    log.error({ installed: to }, `${message} ${words.noWayBack}`);
    return false;
  }
  const unreadable = await unreadableHome(from, { home: await home(), record });
  if (unreadable !== null) {
    log.error({ installed: to, unreadable }, `${message} ${words.trouble.letters}`);
    return false;
  }
  if (!(await confirmRollback({ message, installed: to, wayBack: from, words }))) return false;
  const back: PendingInstallation = {
    ...pending,
    kind: 'way-back',
    from: to,
    to: from,
    failure: null,
  };
  await record.change({ pending: back, outcome: null });
  const task = leavingTask({ installation, target: kept, pending: back, processes: [], record, log });
  if ((await task()) === 'ended') return true;
  // The page shows it, and the user may try again from there.
  const detail = record.now().pending?.failure ?? null;
  await record.change({
    pending: { ...pending, starts: 0 },
    outcome: { kind: 'not-installed', from: to, to: from, backup: pending.backup, detail },
  });
  return false;
};
