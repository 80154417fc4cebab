import type { UpdateStep, UpdatesState, UpdateTroubleCode } from '#contracts/desktop-updates.ts';
import type { ReleaseManifest } from '#runtime/release/release-manifest.ts';
import { nextCheck } from './check-times.ts';
import { UpdateTroubleError } from './update-trouble.ts';
import type { OfferedRelease } from './updater.ts';
import type { UpdatesOptions } from './updates-options.ts';

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

type StandingOptions = Pick<
  UpdatesOptions,
  'installed' | 'source' | 'installation' | 'record' | 'onChange' | 'log' | 'random'
>;

export const openUpdatesStanding = (options: StandingOptions): UpdatesStanding => {
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
