import { setTimeout as delay } from 'node:timers/promises';
import { causeText } from '#runtime/backup/backup-cause.ts';
import type { Log } from '#runtime/log.ts';
import type { Installation } from './installation.ts';
import type { KeptInstaller } from './kept-installers.ts';
import type { PendingInstallation, UpdateRecordStore } from './update-record.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import type { AwaitedProcess, UpdateMeans, UpdatesOptions, UpdatesStanding } from './updates-standing.ts';

/** What makes way for another version. */
export const installActions = (
  options: UpdatesOptions,
  { act, facts, settle, step }: UpdatesStanding,
  means: () => UpdateMeans,
) => {
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
    install(): Promise<void> {
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
    async goBack(): Promise<void> {
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
          const unreadable = await options.unreadable(version);
          if (unreadable !== null) throw new UpdateTroubleError('letters', unreadable);
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

/** Everything was asked to stop long before; what is still there then does not stop. */
const goneWithinMs = 20_000;

/**
 * The last act of a program that makes way for another version: nothing is installed while a process of ours is left.
 * What prevents the installation is written down for the next start, which shows it.
 */
export const leavingTask =
  ({
    installation,
    target,
    pending,
    processes,
    record,
    log,
    ...limits
  }: {
    readonly installation: Installation;
    readonly target: KeptInstaller;
    readonly pending: PendingInstallation;
    readonly processes: readonly AwaitedProcess[];
    readonly record: UpdateRecordStore;
    readonly log: Pick<Log, 'error' | 'info'>;
    readonly goneWithinMs?: number;
  }) =>
  async (): Promise<'ended' | 'not-installed'> => {
    const giveUp = async (failure: string) => {
      log.error({ to: target.version, failure }, 'the update was not installed');
      await record.change({ pending: { ...pending, failure } });
      return 'not-installed' as const;
    };
    const left = await waitForExit(processes, limits.goneWithinMs ?? goneWithinMs);
    if (left.length > 0)
      return giveUp(`Still running: ${left.map(({ name, pid }) => `${name} (process ${pid})`).join(', ')}.`);
    try {
      await installation.install(target);
      return 'ended';
    } catch (error) {
      return giveUp((error as Error).message);
    }
  };

const betweenLooksMs = 200;

/**
 * Waits until each of them is gone. Another process that has since got the ID of one counts as it: then nothing is installed,
 * which does no harm.
 * @returns those that are still there at the deadline
 */
const waitForExit = async (
  processes: readonly AwaitedProcess[],
  deadlineMs: number,
): Promise<readonly AwaitedProcess[]> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const left = processes.filter(({ pid }) => isThere(pid));
    if (left.length === 0 || performance.now() > until) return left;
    await delay(betweenLooksMs);
  }
};

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account is there, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
