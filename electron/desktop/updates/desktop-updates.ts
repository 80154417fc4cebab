import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { dialog, Notification, net } from 'electron';
import pg from 'pg';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { product } from '#contracts/kernel/product.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { outside } from '#runtime/outside/outside.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';
import { restoreBackup } from '#runtime/postgres/restore.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { version as installed } from '#runtime/version.ts';
import { postgresFolder } from '../../stack/operator-role.ts';
import type { Stack } from '../../stack/stack.ts';
import type { Fetch } from '../../updates/fetch-release.ts';
import { openHealthProbation } from '../../updates/health-probation.ts';
import { unreadableHome } from '../../updates/unreadable-home.ts';
import { openUpdates, type Updates } from '../../updates/updates.ts';
import type { AwaitedProcess } from '../../updates/updates-standing.ts';
import type { DesktopHandlers } from '../ipc-registrar.ts';
import type { UpdatesBeginning } from './begin-updates.ts';
import { confirmRollback } from './confirm-rollback.ts';
import type { UpdateWords } from './update-words.ts';

type UpdatesHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `updates.${string}`>>;

/** What the page about updates asks for. */
const updatesCallsOf = (updates: Updates, restoreDatabase: () => Promise<void>): UpdatesHandlers => {
  const after = (work: () => unknown) => async () => {
    await work();
    return updates.state();
  };
  return {
    'updates.state': updates.state,
    'updates.change': ({ mode }) => after(() => updates.setMode(mode))(),
    'updates.check': after(updates.check),
    // It takes a while, and reports its own progress.
    'updates.download': after(() => void updates.download()),
    'updates.cancel': after(updates.cancel),
    'updates.skip': after(updates.skip),
    'updates.install': after(updates.install),
    'updates.goBack': after(updates.goBack),
    'updates.restoreBackup': after(restoreDatabase),
    'updates.dismiss': after(updates.dismiss),
  };
};

/**
 * As a browser does, which signs in to a company's proxy with the person's account; else as the rest of Castellan does, which has a
 * proxy and authorities of its own settings.
 */
const fetchEitherWay: Fetch = async (url, init) => {
  try {
    return await net.fetch(url, { ...init, bypassCustomProtocolHandlers: true });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return outside().fetch(new URL(url), { ...init, redirect: 'error' });
  }
};

export type FinalAction = () => Promise<'ended' | 'not-installed'>;

export interface DesktopUpdates extends AsyncDisposable {
  readonly calls: UpdatesHandlers;
  /** For the tray: reports the result in a notification. */
  checkAndSay(): Promise<void>;
  /** The state of the stack has changed. */
  lookAtStack(): void;
}

/** Updates in the desktop: with its stack, its words, and notifications for when no page is open. */
export const openDesktopUpdates = (options: {
  readonly home: string;
  readonly beginning: UpdatesBeginning;
  readonly stack: Pick<Stack, 'status' | 'guardianPid' | 'pause' | 'start'>;
  readonly words: UpdateWords;
  readonly log: Log;
  readonly tell: (state: UpdatesState) => void;
  /** Whether people want to be told what needs them. */
  readonly areNoticesWanted: () => boolean;
  /** Why the program must not quit now, nor its data be replaced; null when nothing prevents it. */
  readonly hindrance: () => string | null;
  /** Shows the page about updates. */
  readonly show: () => void;
  /** Ends the desktop in order, and then performs the task. */
  readonly leave: (task: FinalAction) => void;
}): DesktopUpdates => {
  const { home, beginning, stack, words, log, show } = options;
  const { record, source, installation, folder } = beginning;
  /** Kept, since an unreferenced notification loses its clicks. */
  const shown = new Set<Notification>();
  const say = (body: string) => {
    if (!Notification.isSupported() || !options.areNoticesWanted()) return;
    const notification = new Notification({ title: product.name, body });
    shown.add(notification);
    notification.on('click', show);
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };
  let isRestoring = false;
  const hindrance = () => (isRestoring ? 'The backup is being restored.' : options.hindrance());
  const unreadable = (version: string) => unreadableHome(version, { home, record });
  const updates = openUpdates({
    folder,
    installed,
    source,
    installation,
    record,
    fetch: fetchEitherWay,
    stackStatus: stack.status,
    hindrance,
    unreadable,
    processes: () => processesOf(stack),
    backUp: (reason) => backUpDatabase(home, stack.status(), reason),
    leave: options.leave,
    onChange(state) {
      options.tell(state);
      const version = state.offer?.version;
      if (version === undefined || version === record.now().told) return;
      if (state.step !== 'found' || state.isSkipped) return;
      say(words.found(version));
      record
        .change({ told: version })
        .catch((error: Error) => log.warn({ err: error }, 'could not store that the update was announced'));
    },
    log,
  });
  const { pending, outcome } = record.now();
  // At each start until it is dismissed: there may have been no one to see it when it happened.
  if (outcome?.kind === 'not-installed') say(words.notInstalled(outcome.to));
  if (outcome?.kind === 'went-back') say(words.wentBack(outcome.to));
  const trial =
    pending?.kind === 'update' && pending.to === installed
      ? openHealthProbation({
          pending,
          record,
          stackStatus: stack.status,
          onWell() {
            options.tell(updates.state());
            say(words.updated(installed));
          },
          onUnwell: () =>
            void offerRollback().catch((error: Error) =>
              log.error({ err: error }, 'could not roll back to the previous version'),
            ),
        })
      : null;

  const offerRollback = async () => {
    await updates.lookedBack;
    const { wayBack } = updates.state();
    const message = words.unwell(installed);
    log.error({ version: installed, wayBack }, 'the new version does not become healthy');
    await record.change({ unhealthy: installed });
    if (wayBack === null) return say(`${message} ${words.noWayBack}`);
    if ((await unreadable(wayBack)) !== null) return say(`${message} ${words.trouble.letters}`);
    if (await confirmRollback({ message, installed, wayBack, words })) return updates.goBack();
    await trial?.accept();
    options.tell(updates.state());
  };

  /** Only on a user's order: what players have got since the update would be lost. */
  const restoreDatabase = async () => {
    const { outcome } = record.now();
    if (outcome?.kind !== 'went-back' || outcome.backup === null)
      throw new StartupError('There is no backup from an update to restore.');
    const hindered = hindrance();
    if (hindered !== null) throw new StartupError(hindered);
    isRestoring = true;
    try {
      await stack.pause();
      const aside = await restoreBackup(outcome.backup, join(postgresFolder(home), 'data'));
      log.warn({ backup: outcome.backup, aside }, 'restored the backup from before the update');
      await record.change({ outcome: { ...outcome, backup: null, detail: aside } });
    } finally {
      isRestoring = false;
      await stack.start();
    }
  };

  const checkAndSay = async () => {
    const { obstacle, mode } = updates.state();
    if (obstacle === null && mode !== 'off') await updates.check();
    const state = updates.state();
    const message = answerOf(state, words);
    const hasOffer = state.offer !== null && state.trouble === null && mode !== 'off';
    const { response } = await dialog.showMessageBox({
      type: state.trouble ? 'warning' : 'info',
      title: product.name,
      message,
      detail: state.trouble?.detail ?? '',
      buttons: hasOffer ? [words.show, words.later] : ['OK'],
      defaultId: 0,
      cancelId: hasOffer ? 1 : 0,
      noLink: true,
    });
    if (hasOffer && response === 0) show();
  };

  return {
    calls: updatesCallsOf(updates, restoreDatabase),
    checkAndSay,
    lookAtStack: () => trial?.look(),
    async [Symbol.asyncDispose]() {
      updates[Symbol.dispose]();
      if (!trial) return;
      trial[Symbol.dispose]();
      await trial.noteOrderlyEnd();
    },
  };
};

const answerOf = ({ obstacle, mode, trouble, offer }: UpdatesState, words: UpdateWords): string => {
  if (obstacle !== null) return words.obstacle;
  if (mode === 'off') return words.off;
  if (trouble) return words.trouble[trouble.code];
  return offer ? words.found(offer.version) : words.newest(installed);
};

const processesOf = (stack: Pick<Stack, 'status' | 'guardianPid'>): readonly AwaitedProcess[] => {
  const guardian = stack.guardianPid();
  return [
    ...stack.status().components.flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }])),
    ...(guardian === null ? [] : [{ name: 'guardian', pid: guardian }]),
  ];
};

/**
 * Backs up the database of a running stack. Where it does not run there is nothing to back up; where its files belong to
 * another account, as with services, the API's own backup before a migration must do.
 * @returns the path of the backup; null when none was taken
 */
const backUpDatabase = async (
  home: string,
  { components }: Pick<StackStatus, 'components'>,
  reason: string,
): Promise<string | null> => {
  const postgres = components.find(({ name }) => name === 'postgres');
  if (postgres?.state !== 'running') return null;
  const data = join(postgresFolder(home), 'data');
  const isOurs = await access(join(data, 'global', 'pg_control'), constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isOurs) return null;
  const { databaseUrl } = await readStackConfig(home);
  const client = new pg.Client({ connectionString: splitConnectionLimit(databaseUrl.reveal()).url });
  await client.connect();
  try {
    return await takeBackup(client, data, join(home, 'backups'), reason);
  } finally {
    await client.end();
  }
};
