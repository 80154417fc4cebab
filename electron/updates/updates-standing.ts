import type { UpdateStep, UpdatesState, UpdateTroubleCode } from '#contracts/desktop/desktop-updates.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import type { ReleaseManifest } from '#runtime/release/release-manifest.ts';
import type { Fetch } from './fetch-release.ts';
import type { Installation } from './installation.ts';
import type { KeptInstallers } from './kept-installers.ts';
import type { UpdateRecordStore } from './update-record.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import type { OfferedRelease } from './updater.ts';

export interface AwaitedProcess {
  readonly name: string;
  readonly pid: number;
}

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
  /** Why a kept version could not open the data; null when it can. */
  readonly unreadable: (version: string) => Promise<string | null>;
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

/** What is known since this start. */
interface Facts {
  offer: OfferedRelease | null;
  received: number;
  isNewest: boolean;
  hasFailedAt: Date | null;
  wayBack: string | null;
}

/** The state of updates, and the one action that is running. */
export interface UpdatesStanding {
  readonly facts: Facts;
  step(): UpdateStep | null;
  state(): UpdatesState;
  /** When the server is next asked automatically. */
  due(): Date;
  tell(): void;
  /** Updates are turned off: what was found out no longer counts. */
  forget(): void;
  isBusy(): boolean;
  callOff(): void;
  /** Cancels the running action, and waits for its end. */
  settle(): Promise<void>;
  /**
   * One action at a time: while one is running, and once the program is quitting, another is refused. Its errors become part of
   * the state.
   * @param work its result is the step that follows
   * @throws {UpdateTroubleError} when it is refused
   */
  act(
    begins: UpdateStep,
    fallsBackTo: (code: UpdateTroubleCode) => UpdateStep | null,
    work: (signal: AbortSignal) => Promise<UpdateStep | null>,
  ): Promise<void>;
}

export const openUpdatesStanding = (
  options: Pick<
    UpdatesOptions,
    'installed' | 'source' | 'installation' | 'record' | 'onChange' | 'log' | 'random'
  >,
): UpdatesStanding => {
  const { installed, source, installation, record, log } = options;
  const random = options.random ?? Math.random();
  const startedAt = new Date();
  const facts: Facts = { offer: null, received: 0, isNewest: false, hasFailedAt: null, wayBack: null };
  let step: UpdateStep | null = null;
  let trouble: UpdatesState['trouble'] = null;
  let underWay: { readonly control: AbortController; readonly ended: Promise<void> } | null = null;

  const due = () => {
    const { lastCheckedAt } = record.now();
    return nextCheck({
      lastCheckedAt: lastCheckedAt === null ? null : new Date(lastCheckedAt),
      startedAt,
      hasFailedAt: facts.hasFailedAt,
      random,
      now: new Date(),
    });
  };
  const state = (): UpdatesState => {
    const { offer, isNewest, received, wayBack } = facts;
    const { mode, lastCheckedAt, skipped, unhealthy, outcome } = record.now();
    const obstacle = source === null ? 'no-source' : installation === null ? 'not-installed' : null;
    return {
      installed,
      obstacle,
      mode,
      lastCheckedAt,
      nextCheckAt: obstacle === null && mode !== 'off' ? due().toISOString() : null,
      step,
      offer: offer && shown(offer.release.manifest, offer.file.size),
      isNewest,
      isSkipped: offer !== null && skipped === offer.release.manifest.version,
      isKnownUnhealthy: offer !== null && unhealthy === offer.release.manifest.version,
      receivedBytes: received,
      trouble,
      wayBack,
      outcome,
    };
  };
  const tell = () => options.onChange(state());
  const forget = () => {
    facts.isNewest = false;
    facts.offer = null;
    trouble = null;
    step = null;
  };

  return {
    facts,
    step: () => step,
    state,
    due,
    tell,
    forget,
    isBusy: () => underWay !== null || step === 'leaving',
    callOff: () => underWay?.control.abort(),
    async settle() {
      underWay?.control.abort();
      await underWay?.ended;
    },
    async act(begins, fallsBackTo, work) {
      if (underWay || step === 'leaving')
        throw new UpdateTroubleError('unexpected', 'An update is already in progress.');
      const ended = Promise.withResolvers<void>();
      const control = new AbortController();
      underWay = { control, ended: ended.promise };
      step = begins;
      trouble = null;
      facts.received = 0;
      tell();
      try {
        step = await work(control.signal);
      } catch (error) {
        const isExpected = error instanceof UpdateTroubleError;
        if (!isExpected) log.error({ err: error }, 'update failed');
        const code = isExpected ? error.code : 'unexpected';
        // The user who cancelled it knows.
        trouble = code === 'cancelled' ? null : { code, detail: (error as Error).message };
        step = fallsBackTo(code);
      } finally {
        underWay = null;
        if (record.now().mode === 'off' && step !== 'leaving') forget();
        ended.resolve();
        tell();
      }
    },
  };
};

const shown = ({ version, releasedAt, notes }: ReleaseManifest, sizeBytes: number) => ({
  version,
  releasedAt,
  notes,
  sizeBytes,
});

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The start is left to the stack first. */
const afterStartMs = { least: 20_000, most: 90_000 } as const;

/**
 * When to ask the server automatically: soon after a start, then once a day, spread so that not all installations ask at the
 * same time. Without an answer, again after an hour or so. A time that lies ahead of now was stored by a clock that has been
 * set back since: it counts as none.
 */
export const nextCheck = ({
  lastCheckedAt,
  startedAt,
  hasFailedAt,
  random,
  now,
}: {
  readonly lastCheckedAt: Date | null;
  /** When this program started. */
  readonly startedAt: Date;
  /** When the last try got no answer. */
  readonly hasFailedAt: Date | null;
  /** From 0 to below 1; one number for one start. */
  readonly random: number;
  readonly now: Date;
}): Date => {
  const hasPassed = (at: Date | null): at is Date => at !== null && !isAhead(at.getTime(), now.getTime());
  if (hasPassed(hasFailedAt)) return new Date(hasFailedAt.getTime() + hourMs * (0.75 + random / 2));
  // Without a start that counts, whatever was checked at all may be of this run.
  const startMs = hasPassed(startedAt) ? startedAt.getTime() : Number.NEGATIVE_INFINITY;
  if (!hasPassed(lastCheckedAt) || lastCheckedAt.getTime() < startMs) {
    const waitMs = afterStartMs.least + random * (afterStartMs.most - afterStartMs.least);
    return hasPassed(startedAt) ? new Date(startMs + waitMs) : now;
  }
  return new Date(lastCheckedAt.getTime() + dayMs - random * 2 * hourMs);
};
