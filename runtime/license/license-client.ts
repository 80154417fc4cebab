import type { Activation } from '#contracts/license/license-answers.ts';
import type { LicenseState, LicenseStatus } from '#contracts/license/license-state.ts';
import { systemClock, type TimerClock } from '../clock.ts';
import { isDiskFull } from '../disk-space.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import { activateLicense } from './activate-license.ts';
import { askPortal, ofUse, recordAfter } from './check-license.ts';
import { nextCheckMs } from './check-schedule.ts';
import { turningPointsMs } from './derive-license.ts';
import { holdLicense } from './held-license.ts';
import { type Machine, thisMachine } from './hwid/machine.ts';
import { claimsOf, licenseStatusOf } from './license-status.ts';
import { createPortalClient } from './portal/portal-client.ts';
import type { LicenseRecord } from './record/license-record.ts';
import { type NewRecord, openRecordStore } from './record/record-store.ts';
import { watchRecord } from './record/record-watch.ts';
import { trustSuccessorsOf } from './succession/key-trust.ts';

export interface LicenseClient extends AsyncDisposable {
  /** Computed on each call; cheap. */
  status(): LicenseStatus;
  /** Called with the new status after every change; returns a function that unsubscribes. */
  subscribe(listener: (status: LicenseStatus) => void): () => void;
  activate(typedKey: string): Promise<Activation>;
  /**
   * Asks the portal now, or joins the running check.
   * @param options with `apartMs`, the portal is not asked if a process of this installation has done so within that time
   */
  checkNow(options?: { readonly apartMs?: number }): Promise<LicenseStatus>;
  /** Call it when the machine wakes from sleep. */
  onResume(): void;
  /** False while unlicensed or rejected. */
  featureAllowed(feature: string): boolean;
  /** Null: no cap. 0 while unlicensed or rejected. */
  maxClusters(): number | null;
}

const whyUnsaved = (error: unknown): string =>
  isDiskFull(error) ? 'the disk is full; make room on it' : (error as Error).message;

/** The longest a single timer runs; it is set again when it fires. */
const longestTimerMs = 86_400_000;

/**
 * The license of this installation. Resolves once license.json has been read; the first check continues in the background, so
 * that a slow portal never delays a start.
 * @throws {StartupError} when the public key is invalid
 */
export const openLicenseClient = async (options: {
  /** Folder of license.json. */
  readonly home: string;
  readonly portalUrl: string;
  /** LICENSE_SERVER_PUBLIC_KEY: 32 bytes in base64url. */
  readonly publicKey: string;
  readonly instanceId: string;
  readonly version: string;
  readonly graceDays: number;
  readonly log: Log;
  /** Proxy to the portal; read for each request. */
  readonly proxy?: () => Secret | undefined;
  /** Whether the client checks on a schedule; a wizard or a command line leaves that to the API. Default true. */
  readonly scheduled?: boolean;
  readonly clock?: TimerClock;
  /** At least 0 and below 1. */
  readonly random?: () => number;
  /** Creates a machine whose identifiers are read again. */
  readonly readMachine?: () => Machine;
}): Promise<LicenseClient> => {
  const { home, portalUrl, graceDays, log } = options;
  const { scheduled = true, clock = systemClock, random = Math.random, readMachine = thisMachine } = options;
  const trust = await trustSuccessorsOf(options.publicKey);
  const stopping = new AbortController();
  const portal = createPortalClient({ portalUrl, trust, ...(options.proxy && { proxy: options.proxy }) });
  const held = await holdLicense({ store: openRecordStore(home), trust, clock, readMachine });
  const { instanceId, version } = options;
  const arrival = () => ({ held: claimsOf(held.view), nowMs: clock.now().getTime(), graceDays });
  const parts = {
    held,
    trust,
    portal,
    installation: { instanceId, version },
    arrival,
    stop: stopping.signal,
  };

  const listeners = new Set<(status: LicenseStatus) => void>();
  let running: Promise<void> | null = null;
  let nextCheckAtMs: number | null = null;
  let plannedFor: LicenseState | undefined;
  let cancelCheck: (() => void) | undefined;
  let cancelTurn: (() => void) | undefined;
  /** An answer that is not on disk yet: it is written as soon as possible, and lost if this process ends before that. */
  let unsaved: { readonly from: LicenseRecord; readonly next: NewRecord; readonly why: string } | null = null;

  const status = (): LicenseStatus => ({
    ...licenseStatusOf({
      view: held.view,
      nowMs: clock.now().getTime(),
      knownMs: held.knownMs(),
      unsetMs: held.unsetMs(),
      graceDays,
      nextCheckAtMs,
      portalUrl,
    }),
    ...(unsaved && { notSaved: unsaved.why }),
  });

  const save = async (from: LicenseRecord, next: NewRecord): Promise<void> => {
    const before = unsaved;
    const written = await held.update(from, next);
    unsaved = typeof written === 'string' ? null : { from, next, why: whyUnsaved(written.unwritten) };
    if (written === 'superseded') log.info('license.json was replaced during a check; result dropped');
    else if (typeof written !== 'string' && before === null)
      log.error({ err: written.unwritten }, `could not write license.json: ${unsaved?.why}`);
    else if (written === 'written' && before !== null) log.info('license.json was written after all');
  };

  /** Everything but the time of day. */
  const essence = (current: LicenseStatus): string => JSON.stringify({ ...current, clock: null });
  let told = status();

  /** Tells the listeners if something changed, and runs again when time alone will change something. */
  const announce = (): void => {
    if (stopping.signal.aborted) return;
    if (running === null && status().state !== plannedFor) schedule();
    const current = status();
    if (essence(current) !== essence(told)) {
      if (current.state !== told.state || current.code !== told.code)
        log.info({ state: current.state, code: current.code, was: told.state }, 'license state changed');
      told = current;
      for (const listener of listeners) listener(current);
    }
    cancelTurn?.();
    const claims = claimsOf(held.view);
    const nowMs = clock.now().getTime();
    const turns = claims ? turningPointsMs(claims, graceDays).filter((atMs) => atMs > nowMs) : [];
    const delayMs = Math.min(...turns, nowMs + longestTimerMs) - nowMs;
    cancelTurn = clock.setTimer(delayMs, announce);
  };

  const schedule = (retryAfterMs = 0): void => {
    cancelCheck?.();
    nextCheckAtMs = null;
    const { state } = status();
    plannedFor = state;
    if (!scheduled || held.view.snapshot.kind !== 'record' || stopping.signal.aborted) return;
    const claims = claimsOf(held.view);
    const nowMs = clock.now().getTime();
    nextCheckAtMs = nextCheckMs({
      state,
      issuedMs: claims && claims.iat * 1000,
      nowMs,
      retryAfterMs,
      random: random(),
    });
    cancelCheck = clock.setTimer(nextCheckAtMs - nowMs, checkInBackground);
  };

  const check = async (apartMs: number): Promise<void> => {
    await held.refresh();
    await held.recognize();
    const { opened } = held.view;
    if (opened === null) return schedule();
    const askedAt = opened.record.lastCheck?.at;
    const agoMs = askedAt === undefined ? apartMs : clock.now().getTime() - Date.parse(askedAt);
    // A check from the future was written before the clock was set back.
    if (agoMs >= 0 && agoMs < apartMs) return;

    const answer = ofUse(await askPortal(opened, parts), arrival());
    if (stopping.signal.aborted) return;
    const now = clock.now().toISOString();
    const next = { ...recordAfter(opened.record, answer, now), ...trust.kept };
    if (answer.outcome === 'confirmed') next.seals = await held.sealsOfToday(opened.identity, next.seals);
    else log.warn({ outcome: answer.outcome, detail: answer.detail }, 'could not confirm the license');
    await save(opened.record, next);
    schedule(answer.outcome === 'rate-limited' ? (answer.retryAfterSeconds ?? 0) * 1000 : 0);
  };

  const checkNow = async ({ apartMs = 0 } = {}): Promise<LicenseStatus> => {
    running ??= check(apartMs).finally(() => {
      running = null;
      announce();
    });
    await running;
    return status();
  };

  const inBackground = (task: Promise<unknown>): void => {
    task.catch((error: unknown) => log.error({ err: error }, 'could not maintain the license'));
  };
  const checkInBackground = (): void => inBackground(checkNow());

  /** Notices what other processes wrote, a check that fell due during sleep, and a clock that was set. */
  const look = async (): Promise<void> => {
    if (unsaved !== null && running === null) await save(unsaved.from, unsaved.next);
    const before = held.view.snapshot;
    await held.refresh();
    if (held.view.snapshot !== before && running === null) schedule();
    announce();
    if (nextCheckAtMs !== null && clock.now().getTime() >= nextCheckAtMs) await checkNow();
  };

  const activate = async (typedKey: string): Promise<Activation> => {
    const activation = await activateLicense(typedKey, { ...parts, clock });
    log.info({ outcome: activation.outcome }, 'license activation');
    schedule();
    announce();
    return activation;
  };

  const allowed = (): boolean => ['valid', 'grace'].includes(status().state);
  const watching = watchRecord(home, () => inBackground(look()), log);
  announce();
  if (scheduled && held.view.snapshot.kind === 'record') checkInBackground();

  return {
    status,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    activate,
    checkNow,
    onResume: checkInBackground,
    featureAllowed(feature) {
      const features = claimsOf(held.view)?.features ?? [];
      return allowed() && (features.includes('*') || features.includes(feature));
    },
    maxClusters: () => (allowed() ? (claimsOf(held.view)?.maxClusters ?? null) : 0),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      watching[Symbol.dispose]();
      cancelCheck?.();
      cancelTurn?.();
      await running?.catch(() => 'logged, or told to who asked');
    },
  };
};
