import { causeText } from '#runtime/backup/backup-cause.ts';
import type { KeptInstaller } from './kept-installers.ts';
import { leavingTask } from './leaving-task.ts';
import type { PendingInstallation } from './update-record.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import type { UpdateMeans, UpdatesOptions } from './updates-options.ts';
import type { UpdatesStanding } from './updates-standing.ts';

export interface InstallActions {
  install(): Promise<void>;
  goBack(): Promise<void>;
}

/** What makes way for another version. */
export const installActions = (
  options: UpdatesOptions,
  { act, facts, settle, step }: UpdatesStanding,
  means: () => UpdateMeans,
): InstallActions => {
  const { installed, record, log } = options;

  const demandUnhindered = () => {
    const hindrance = options.hindrance();
    if (hindrance !== null) throw new UpdateTroubleError('busy', hindrance);
  };
  /** The next start either undoes or shows everything from here on. */
  const leaveFor = async (
    target: KeptInstaller,
    kind: PendingInstallation['kind'],
    backup: string | null,
  ) => {
    const { installation } = means();
    const pending: PendingInstallation = {
      kind,
      from: installed,
      to: target.version,
      begunAt: new Date().toISOString(),
      backup,
      answered: options
        .stackStatus()
        .components.filter(({ state }) => state === 'running')
        .map(({ name }) => name),
      starts: 0,
      failure: null,
    };
    const before = record.now();
    await record.change({ pending, outcome: null }).catch(async (error: Error) => {
      // It was not begun, and must not be written down later on.
      await record.change({ pending: before.pending, outcome: before.outcome }).catch(() => undefined);
      throw new UpdateTroubleError('disk', error.message, error);
    });
    options.leave(
      leavingTask({
        installation,
        target,
        pending,
        processes: options.processes(),
        record,
        log,
        ...(options.goneWithinMs !== undefined && { goneWithinMs: options.goneWithinMs }),
      }),
    );
  };

  return {
    install() {
      const { kept } = means();
      const { offer } = facts;
      if (!offer || step() !== 'ready')
        throw new UpdateTroubleError('unexpected', 'There is no update to install.');
      const { version } = offer.release.manifest;
      return act(
        'backing-up',
        (code) => (code === 'damaged' ? 'found' : 'ready'),
        async () => {
          demandUnhindered();
          const backup = await options
            .backUp(causeText({ kind: 'update', version }))
            .catch((error: Error) => {
              throw new UpdateTroubleError('backup', error.message, error);
            });
          const target = await kept.find(version);
          if (!target)
            throw new UpdateTroubleError('damaged', 'The downloaded file was changed. Download it again.');
          // Something may have begun while the backup was taken.
          demandUnhindered();
          await leaveFor(target, 'update', backup);
          return 'leaving';
        },
      );
    },
    async goBack() {
      const { kept } = means();
      const version = facts.wayBack;
      if (version === null) throw new UpdateTroubleError('unexpected', 'No earlier version was kept.');
      // A user who wants an earlier version does not wait for a newer one.
      if (step() === 'checking' || step() === 'downloading') await settle();
      const before = step();
      return act(
        'leaving',
        () => before,
        async () => {
          demandUnhindered();
          const target = await kept.find(version);
          if (!target) {
            facts.wayBack = null;
            throw new UpdateTroubleError('damaged', `The kept installer of ${version} was changed.`);
          }
          demandUnhindered();
          const { outcome, pending } = record.now();
          await leaveFor(target, 'way-back', outcome?.backup ?? pending?.backup ?? null);
          return 'leaving';
        },
      );
    },
  };
};
