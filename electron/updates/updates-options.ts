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
  /** Of this user; holds what is downloaded and kept. */
  readonly folder: string;
  readonly installed: string;
  readonly source: UpdateSource | null;
  readonly installation: Installation | null;
  readonly record: UpdateRecordStore;
  readonly fetch: Fetch;
  readonly stackStatus: () => StackStatus;
  /** Why this program must not be replaced at this moment; null when nothing speaks against it. */
  readonly hindrance: () => string | null;
  /** Everything of ours that runs and has to be gone before an installer may begin. */
  readonly processes: () => readonly AwaitedProcess[];
  /** @returns where; null when the database does not run @throws when it cannot be backed up */
  readonly backUp: (reason: string) => Promise<string | null>;
  /** Ends the program in order; the task is its last act. */
  readonly leave: (task: () => Promise<'ended' | 'not-installed'>) => void;
  readonly onChange: (state: UpdatesState) => void;
  readonly log: Log;
  readonly random?: number;
  readonly goneWithinMs?: number;
}

/** What a program has that updates itself. */
export interface UpdateMeans {
  readonly source: UpdateSource;
  readonly installation: Installation;
  readonly kept: KeptInstallers;
}
