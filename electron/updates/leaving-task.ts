import type { Log } from '#runtime/log.ts';
import type { Installation } from './installation.ts';
import type { KeptInstaller } from './kept-installers.ts';
import type { PendingInstallation, UpdateRecordStore } from './update-record.ts';
import { type AwaitedProcess, waitForExit } from './wait-for-exit.ts';

/** Everything was asked to stop long before; what is still there then does not stop. */
const goneWithinMs = 20_000;

export interface LeavingTaskOptions {
  readonly installation: Installation;
  readonly target: KeptInstaller;
  readonly pending: PendingInstallation;
  readonly processes: readonly AwaitedProcess[];
  readonly record: UpdateRecordStore;
  readonly log: Pick<Log, 'error' | 'info'>;
  readonly goneWithinMs?: number;
}

/**
 * The last act of a program that makes way for another version: nothing is installed while a process of ours is left.
 * What prevents the installation is written down for the next start, which shows it.
 */
export const leavingTask =
  ({ installation, target, pending, processes, record, log, ...limits }: LeavingTaskOptions) =>
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
