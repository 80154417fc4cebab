import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentRenewal } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { type AgentExecutable, type AgentRelease, readAgentRelease } from '#runtime/release/agent-release.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { compareVersions } from '#runtime/release/version-order.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import type { ApiAddress } from '../connection/connection.ts';
import { programFiles, putAside, swapPrograms } from './program-files.ts';
import type { FailedRenewal, RenewalRecord } from './renewal-record.ts';
import { BrokenOffError, stageRelease } from './stage-release.ts';
import { type TrialVerdict, tryProgram } from './trial.ts';

type RenewalVerdict =
  | { readonly verdict: 'renew'; readonly file: AgentExecutable }
  /** This version or an older one: an agent never downgrades because of an API's offer. */
  | { readonly verdict: 'current' }
  /** It did not connect here before, and is tried again later. */
  | { readonly verdict: 'resting'; readonly againInMs: number }
  | { readonly verdict: 'not-for-this-system' };

const hourMs = 3_600_000;
/** An API that restarts during a trial also makes it fail; a broken version must not stop the agent every minute. */
const restsMs = [hourMs, 6 * hourMs, 24 * hourMs] as const;

/** Whether a release with a valid signature is to be installed. */
const judgeRenewal = (
  { version: offered, files }: AgentRelease,
  {
    version,
    platform,
    failed,
    nowMs,
  }: {
    readonly version: string;
    /** Null on a system without executables. */
    readonly platform: ReleasePlatform | null;
    readonly failed: FailedRenewal | null;
    readonly nowMs: number;
  },
): RenewalVerdict => {
  if (compareVersions(offered, version) <= 0) return { verdict: 'current' };
  const againInMs = failed?.version === offered ? restOf(failed, nowMs) : 0;
  if (againInMs > 0) return { verdict: 'resting', againInMs };
  const file = files.find((candidate) => candidate.platform === platform);
  return file ? { verdict: 'renew', file } : { verdict: 'not-for-this-system' };
};

/** The remaining rest time. A failure in the future was written while the clock was wrong, and does not count. */
const restOf = ({ tries, atMs }: Pick<FailedRenewal, 'tries' | 'atMs'>, nowMs: number): number => {
  const restMs = restsMs[Math.min(tries, restsMs.length) - 1] ?? hourMs;
  return atMs <= nowMs ? Math.max(0, atMs + restMs - nowMs) : 0;
};

/** The servers that this process runs. */
interface RenewableServers {
  connected(): readonly string[];
  /** Resolves when no task and no command is running; it holds commands back no longer than the signal allows. */
  idle(signal: AbortSignal): Promise<void>;
  /** Releases all server folders. Their games keep running. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** The state of an update. */
export interface RenewalNews extends Pick<AgentRenewal, 'step' | 'version' | 'detail'> {
  /** When a failed version is tried again: Unix time in milliseconds. */
  readonly againAtMs: number | null;
}

/** Keeps an installed agent at the version that its API offers. */
export interface Renewal extends AsyncDisposable {
  /**
   * Another offer during an update is left for the next connection.
   * @param release the signed file of the release
   * @returns when the running update has ended; never rejects
   */
  offer(release: Buffer, api: ApiAddress): Promise<void>;
}

/** Below the deadline of this process's orderly stop, which must not leave the program on trial behind. */
const trialEndMs = 8000;
/** Each continues where the last one was interrupted. */
const mostDownloads = 10;

export const openRenewal = (options: {
  readonly programFolder: string;
  /** Arguments after the new program's name that make it run the same servers on trial. */
  readonly trialArgs: readonly string[];
  readonly keys: readonly KeyObject[];
  readonly version: string;
  readonly platform: ReleasePlatform | null;
  readonly record: RenewalRecord;
  readonly servers: RenewableServers;
  /** Called when the news of the update has changed; null: none. */
  readonly onNews: (news: RenewalNews | null) => void;
  /** The new version is in place: this process has to exit, and the service starts the new one. */
  readonly onRenewed: (version: string) => void;
  readonly log: Log;
  readonly now?: () => number;
  readonly connectWithinMs?: number;
  /** Wait after an interrupted download. */
  readonly retryMs?: number;
}): Renewal => {
  const { programFolder, trialArgs, keys, version, platform, record, servers, onNews, onRenewed, log } =
    options;
  const { now = Date.now, connectWithinMs = 60_000, retryMs = 60_000 } = options;
  const files = programFiles(programFolder);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const tell = (step: RenewalNews['step'], offered: string, detail: string | null = null, againAtMs = 0) =>
    onNews({ step, version: offered, detail, againAtMs: againAtMs || null });
  const rest = ({ version: offered, detail, wasTried }: FailedRenewal, restMs: number, again: () => void) => {
    tell(wasTried ? 'went-back' : 'not-fetched', offered, detail, now() + restMs);
    clearTimeout(timer);
    timer = setTimeout(again, restMs).unref();
  };

  /** Best effort: no server depends on what a full disk keeps from being written. */
  const keep = (failed: FailedRenewal | null) =>
    record
      .change({ failed })
      .catch((error: unknown) => log.warn({ err: error }, 'could not store the result of the update'));

  const remember = async (offered: string, message: string, wasTried: boolean, again: () => void) => {
    const { failed } = record.now();
    const tries = failed?.version === offered ? failed.tries + 1 : 1;
    // People who may not see the machine's folders also read this.
    const detail = message.replaceAll(programFolder, '…');
    const failure = { version: offered, tries, atMs: now(), detail, wasTried };
    await keep(failure);
    log.warn(
      { version: offered, tries },
      `could not update the Game Agent; keeping the current version: ${message}`,
    );
    rest(failure, restOf(failure, failure.atMs), again);
  };

  const stage = async (staging: Parameters<typeof stageRelease>[0]) => {
    for (let tries = 1; ; tries += 1)
      try {
        await stageRelease(staging);
        return;
      } catch (error) {
        if (!(error instanceof BrokenOffError) || tries === mostDownloads) throw error;
        log.warn(`the download of the Game Agent update was interrupted; will resume: ${error.message}`);
        await delay(retryMs, undefined, { signal: stopping.signal });
      }
  };

  const tryOut = async (): Promise<TrialVerdict> => {
    const serverIds = servers.connected();
    await servers.idle(stopping.signal);
    let verdict: TrialVerdict = { works: false, detail: 'the trial could not be begun' };
    try {
      await servers.pause();
      verdict = await tryProgram({
        program: files.next,
        args: trialArgs,
        serverIds,
        connectWithinMs,
        endWithinMs: trialEndMs,
        signal: stopping.signal,
      });
    } finally {
      // If it worked, the new version starts them; a swap that fails resumes them itself.
      if (!verdict.works && !stopping.signal.aborted) await servers.resume();
    }
    return verdict;
  };

  const renew = async (release: Buffer, api: ApiAddress) => {
    const again = () => void offer(release, api);
    const reading = readAgentRelease(release, keys);
    if (reading.kind !== 'verified') {
      log.warn(`refused a Game Agent update from the API: ${reading.detail}`);
      onNews({ step: 'refused', version: null, detail: reading.detail, againAtMs: null });
      return;
    }
    const { manifest } = reading;
    const { failed } = record.now();
    const judged = judgeRenewal(manifest, { version, platform, failed, nowMs: now() });
    if (judged.verdict === 'resting' && failed) rest(failed, judged.againInMs, again);
    if (judged.verdict === 'not-for-this-system') tell('other-system', manifest.version);
    if (judged.verdict === 'current') onNews(null);
    if (judged.verdict !== 'renew') return;
    let wasTried = false;
    try {
      log.info({ version: manifest.version }, 'downloading a Game Agent update');
      tell('fetching', manifest.version);
      await stage({ api, file: judged.file, files, signal: stopping.signal });
      wasTried = true;
      tell('trying', manifest.version);
      const verdict = await tryOut();
      if (!verdict.works) {
        if (!stopping.signal.aborted) await remember(manifest.version, verdict.detail, wasTried, again);
        return;
      }
      await swapPrograms(files).catch(async (error: unknown) => {
        await servers.resume();
        throw error;
      });
      await keep(null);
      log.info({ version: manifest.version }, 'updated the Game Agent; restarting');
      onRenewed(manifest.version);
    } catch (error) {
      if (!stopping.signal.aborted)
        await remember(manifest.version, (error as Error).message, wasTried, again);
    } finally {
      await putAside(files.next);
    }
  };
  const renewOnce = singleFlight((release: Buffer, api: ApiAddress) =>
    renew(release, api).catch((error: unknown) => log.error({ err: error }, 'Game Agent update failed')),
  );
  const offer = (release: Buffer, api: ApiAddress): Promise<void> =>
    stopping.signal.aborted ? Promise.resolve() : renewOnce(release, api);

  return {
    offer,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      await renewOnce.underWay();
    },
  };
};
