import type { UpdatesState } from '#contracts/desktop-updates.ts';
import type { StackStatus } from '#contracts/stack.ts';
import type { Log } from '#runtime/log.ts';
import type { Fetch } from './fetch-file.ts';
import type { Installation } from './installation.ts';
import type { KeptInstallers } from './kept-installers.ts';
import type { UpdateRecordStore } from './update-record.ts';
import type { UpdateSource } from './update-source.ts';
import type { AwaitedProcess } from './wait-for-exit.ts';

export interface UpdatesOptions {
  /** This user's folder for downloads and kept installers. */
  readonly folder: string;
  readonly installed: string;
  readonly source: UpdateSource | null;
  readonly installation: Installation | null;
  readonly record: UpdateRecordStore;
  readonly fetch: Fetch;
  readonly stackStatus: () => StackStatus;
  /** Why this program must not be replaced now; null when nothing prevents it. */
  readonly hindrance: () => string | null;
  /** All our running processes that must be gone before an installer may begin. */
  readonly processes: () => readonly AwaitedProcess[];
  /** @returns where; null when the database does not run @throws when it cannot be backed up */
  readonly backUp: (reason: string) => Promise<string | null>;
  /** Ends the program in order, and then performs the task. */
  readonly leave: (task: () => Promise<'ended' | 'not-installed'>) => void;
  readonly onChange: (state: UpdatesState) => void;
  readonly log: Log;
  readonly random?: number;
  readonly goneWithinMs?: number;
}

/** What a program that updates itself has. */
export interface UpdateMeans {
  readonly source: UpdateSource;
  readonly installation: Installation;
  readonly kept: KeptInstallers;
}
