import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { readAgentRelease } from '#runtime/release/agent-release.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import type { ApiAddress } from '../connection/connection.ts';
import { programFiles, putAside, swapPrograms } from './program-files.ts';
import type { RenewalRecord } from './renewal-record.ts';
import { judgeRenewal } from './renewal-verdict.ts';
import { BrokenOffError, type StageOptions, stageRelease } from './stage-release.ts';
import { type TrialVerdict, tryProgram } from './trial.ts';

/** The servers that this process runs. */
export interface RenewableServers {
  connected(): readonly string[];
  /** Resolves when no task and no command is under way; commands wait no longer than the signal says. */
  idle(signal: AbortSignal): Promise<void>;
  /** Lets go of all server folders. Their games run on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface RenewalOptions {
  readonly programFolder: string;
  /** Behind the new program's name, so that it runs the same servers on trial. */
  readonly trialArgs: readonly string[];
  readonly keys: readonly KeyObject[];
  readonly version: string;
  readonly platform: ReleasePlatform | null;
  readonly record: RenewalRecord;
  readonly servers: RenewableServers;
  /** The new version is in place: this process has to end, and the service starts the new one. */
  readonly onRenewed: (version: string) => void;
  readonly log: Log;
  readonly now?: () => number;
  readonly connectWithinMs?: number;
  /** After a download that broke off. */
  readonly retryMs?: number;
}

/** Keeps an installed agent at the version that its API offers. */
export interface Renewal extends AsyncDisposable {
  /**
   * Another offer during a renewal is left for the next connection.
   * @param release the signed file of the release
   * @returns when the renewal that is under way has ended; never rejects
   */
  offer(release: Buffer, api: ApiAddress): Promise<void>;
}

/** Below the deadline of an orderly stop of this process, which must not leave the program on trial behind. */
const trialEndMs = 8000;
/** Each goes on where the last one broke off. */
const mostDownloads = 10;

export const openRenewal = (options: RenewalOptions): Renewal => {
  const { programFolder, trialArgs, keys, version, platform, record, servers, onRenewed, log } = options;
  const { now = Date.now, connectWithinMs = 60_000, retryMs = 60_000 } = options;
  const files = programFiles(programFolder);
  const stopping = new AbortController();
  let renewing: Promise<void> | null = null;

  const remember = async (offered: string, detail: string) => {
    const { failed } = record.now();
    const tries = failed?.version === offered ? failed.tries + 1 : 1;
    await record.change({ failed: { version: offered, tries, atMs: now(), detail } });
    log.warn(
      { version: offered, tries },
      `the update of the Game Agent did not work, so it stays as it is: ${detail}`,
    );
  };

  const stage = async (staging: StageOptions) => {
    for (let tries = 1; ; tries += 1)
      try {
        await stageRelease(staging);
        return;
      } catch (error) {
        if (!(error instanceof BrokenOffError) || tries === mostDownloads) throw error;
        log.warn(`the update of the Game Agent is fetched on soon: ${error.message}`);
        await delay(retryMs, undefined, { signal: stopping.signal });
      }
  };

  const tryOut = async (): Promise<TrialVerdict> => {
    const serverIds = servers.connected();
    await servers.idle(stopping.signal);
    await servers.pause();
    let verdict: TrialVerdict = { works: false, detail: 'the trial could not be begun' };
    try {
      verdict = await tryProgram({
        program: files.next,
        args: trialArgs,
        serverIds,
        connectWithinMs,
        endWithinMs: trialEndMs,
        signal: stopping.signal,
      });
    } finally {
      // Where it worked, the new version takes them up; a swap that fails resumes them itself.
      if (!verdict.works && !stopping.signal.aborted) await servers.resume();
    }
    return verdict;
  };

  const renew = async (release: Buffer, api: ApiAddress) => {
    const reading = readAgentRelease(release, keys);
    if (reading.kind !== 'verified') {
      log.warn(`the API offers an update of the Game Agent that is refused: ${reading.detail}`);
      return;
    }
    const { manifest } = reading;
    const { failed } = record.now();
    const judged = judgeRenewal(manifest, { version, platform, failed, nowMs: now() });
    if (judged.verdict !== 'renew') return;
    try {
      log.info({ version: manifest.version }, 'fetching an update of the Game Agent');
      await stage({ api, file: judged.file, files, signal: stopping.signal });
      const verdict = await tryOut();
      if (!verdict.works) {
        if (!stopping.signal.aborted) await remember(manifest.version, verdict.detail);
        return;
      }
      await swapPrograms(files).catch(async (error: unknown) => {
        await servers.resume();
        throw error;
      });
      await record.change({ failed: null });
      log.info({ version: manifest.version }, 'the Game Agent is updated and starts again');
      onRenewed(manifest.version);
    } catch (error) {
      if (!stopping.signal.aborted) await remember(manifest.version, (error as Error).message);
    } finally {
      await putAside(files.next);
    }
  };

  return {
    offer(release, api) {
      if (stopping.signal.aborted) return Promise.resolve();
      renewing ??= renew(release, api)
        .catch((error: unknown) => log.error({ err: error }, 'the update of the Game Agent failed'))
        .finally(() => {
          renewing = null;
        });
      return renewing;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await renewing;
    },
  };
};
