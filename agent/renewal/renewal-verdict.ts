import type { AgentExecutable, AgentRelease } from '#runtime/release/agent-release.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { compareVersions } from '#runtime/release/version-order.ts';
import type { FailedRenewal } from './renewal-record.ts';

export interface RenewalStanding {
  readonly version: string;
  /** Null on a system without executables. */
  readonly platform: ReleasePlatform | null;
  readonly failed: FailedRenewal | null;
  readonly nowMs: number;
}

export type RenewalVerdict =
  | { readonly verdict: 'renew'; readonly file: AgentExecutable }
  /** This version or an older one: an agent never goes back because of what an API offers. */
  | { readonly verdict: 'current' }
  /** It did not connect here before, and is tried again later. */
  | { readonly verdict: 'resting' }
  | { readonly verdict: 'not-for-this-system' };

const hourMs = 3_600_000;
/** An API that restarts during a trial makes it fail, too; a version that is broken must not stop the agent every minute. */
const restsMs = [hourMs, 6 * hourMs, 24 * hourMs] as const;

/** Whether a release whose signature holds is to be installed. */
export const judgeRenewal = (
  { version: offered, files }: AgentRelease,
  { version, platform, failed, nowMs }: RenewalStanding,
): RenewalVerdict => {
  if (compareVersions(offered, version) <= 0) return { verdict: 'current' };
  if (failed?.version === offered && isResting(failed, nowMs)) return { verdict: 'resting' };
  const file = files.find((candidate) => candidate.platform === platform);
  return file ? { verdict: 'renew', file } : { verdict: 'not-for-this-system' };
};

/** A failure of the future was written while the clock was wrong; it counts for nothing. */
const isResting = ({ tries, atMs }: FailedRenewal, nowMs: number): boolean => {
  const restMs = restsMs[Math.min(tries, restsMs.length) - 1] ?? hourMs;
  return atMs <= nowMs && nowMs < atMs + restMs;
};
