import { join } from 'node:path';
import type { App } from 'electron';
import type { Log } from '#runtime/log.ts';
import { version as installed } from '#runtime/version.ts';
import { runElevated } from '../../elevation/run-elevated.ts';
import { programFoldersOf, replaceableFault } from '../../services/per-machine.ts';
import { type Installation, installationOf } from '../../updates/installation.ts';
import { openKeptInstallers } from '../../updates/kept-installers.ts';
import { leavingTask } from '../../updates/leaving-task.ts';
import { installOutcome } from '../../updates/post-install.ts';
import { isInstalledIn, lastSetupFailure } from '../../updates/setup-registry.ts';
import {
  openUpdateRecord,
  type PendingInstallation,
  type UpdateOutcome,
  type UpdateRecord,
  type UpdateRecordStore,
} from '../../updates/update-record.ts';
import { readUpdateSource, type UpdateSource } from '../../updates/update-source.ts';
import { confirmRollback } from './confirm-rollback.ts';
import type { UpdateWords } from './update-words.ts';

export interface BeginUpdatesOptions {
  readonly app: App;
  readonly programsFolder: string;
  /** The Node executable that `castellan` runs under. */
  readonly node: string;
  readonly appImage: string | undefined;
  /** Of this process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly words: UpdateWords;
  readonly log: Log;
  readonly startAfterwards: (program: string) => void;
}

/** What is known of updates before anything else of the desktop stands. */
export interface UpdatesBeginning {
  readonly folder: string;
  readonly record: UpdateRecordStore;
  readonly source: UpdateSource | null;
  readonly installation: Installation | null;
}

/**
 * Looks at what came of the last update, and counts this start of a new version. Null: the new version has crashed
 * several times, and this start makes way for the one before.
 */
export const beginUpdates = async (options: BeginUpdatesOptions): Promise<UpdatesBeginning | null> => {
  const { app, programsFolder, node, words, log } = options;
  const folder = join(app.getPath('userData'), 'updates');
  const record = await openUpdateRecord(folder);
  const source = await readUpdateSource(programsFolder).catch((error: Error) => {
    // That it cannot be updated keeps nobody from working with it.
    log.error({ err: error }, 'there will be no updates');
    return null;
  });
  const castellan = join(programsFolder, 'castellan.mjs');
  const installation = installationOf({
    platform: process.platform,
    isInstalled: await isInstalled(options),
    appImage: options.appImage,
    runCastellanElevated: (args) => runElevated(node, [castellan, ...args]),
    keys: source?.keys ?? [],
    startAfterwards: options.startAfterwards,
  });
  const giveUp = (error: Error) => {
    log.error({ err: error }, 'the way back was not taken');
    return false;
  };
  const beginning = { folder, record, source, installation };
  /** A full disk keeps nobody from starting; what is not written down is found out anew. */
  const keep = (change: Partial<UpdateRecord>) =>
    record
      .change(change)
      .catch((error: Error) => log.error({ err: error }, 'how the update stands could not be kept'));
  const aftermath = installOutcome(record.now().pending, installed);
  switch (aftermath.kind) {
    case 'nothing':
      return beginning;
    case 'superseded':
      await keep({ pending: null, outcome: null });
      return beginning;
    case 'not-installed':
      // The pending one stays: an installer may still be at work.
      await keep({ pending: aftermath.pending, outcome: await explained(aftermath.outcome) });
      return beginning;
    case 'went-back':
      await keep({ pending: null, outcome: aftermath.outcome, unhealthy: aftermath.outcome.from });
      return beginning;
    case 'on-trial':
    case 'crashed': {
      const { pending } = aftermath;
      if (aftermath.kind === 'crashed' && (await goBack(pending, beginning, words, log).catch(giveUp)))
        return null;
      const { starts } = record.now().pending ?? pending;
      await keep({
        pending: { ...pending, starts: starts + 1 },
        ...(aftermath.kind === 'on-trial' && { outcome: null }),
      });
      return beginning;
    }
  }
};

/** On Windows, where an administrator's rights go to what lies in the folder: by the installer, which closes it to others. */
const isInstalled = async ({
  app,
  programsFolder,
  node,
  variables,
}: BeginUpdatesOptions): Promise<boolean> => {
  if (process.platform !== 'win32' || !app.isPackaged) return app.isPackaged;
  const isClosed = replaceableFault({ programsFolder, node }, programFoldersOf(variables)) === null;
  return isClosed || isInstalledIn(programsFolder);
};

/** The installer for Windows, which runs when we have ended, leaves its reason for us. */
const explained = async (outcome: UpdateOutcome): Promise<UpdateOutcome> => {
  if (process.platform !== 'win32' || outcome.detail !== null) return outcome;
  return { ...outcome, detail: await lastSetupFailure(outcome.to) };
};

/** @returns whether another version is about to take over */
const goBack = async (
  pending: PendingInstallation,
  { folder, record, source, installation }: UpdatesBeginning,
  words: UpdateWords,
  log: Log,
): Promise<boolean> => {
  const { from, to } = pending;
  if (!source || !installation) return false;
  const kept = await openKeptInstallers(join(folder, 'kept'), source.keys, installation.platform).find(from);
  const message = words.crashed(to);
  if (!kept) {
    // Nobody may be there to read it; it is tried once more, and told when it stands.
    log.error({ installed: to }, `${message} ${words.noWayBack}`);
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
  // It is told on the page; the person may try again from there.
  const detail = record.now().pending?.failure ?? null;
  await record.change({
    pending: { ...pending, starts: 0 },
    outcome: { kind: 'not-installed', from: to, to: from, backup: pending.backup, detail },
  });
  return false;
};
