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
  /** This version or an older one: an agent never downgrades because of an API's offer. */
  | { readonly verdict: 'current' }
  /** It did not connect here before, and is tried again later. */
  | { readonly verdict: 'resting'; readonly againInMs: number }
  | { readonly verdict: 'not-for-this-system' };

const hourMs = 3_600_000;
/** An API that restarts during a trial also makes it fail; a broken version must not stop the agent every minute. */
const restsMs = [hourMs, 6 * hourMs, 24 * hourMs] as const;

/** Whether a release with a valid signature is to be installed. */
export const judgeRenewal = (
  { version: offered, files }: AgentRelease,
  { version, platform, failed, nowMs }: RenewalStanding,
): RenewalVerdict => {
  if (compareVersions(offered, version) <= 0) return { verdict: 'current' };
  const againInMs = failed?.version === offered ? restOf(failed, nowMs) : 0;
  if (againInMs > 0) return { verdict: 'resting', againInMs };
  const file = files.find((candidate) => candidate.platform === platform);
  return file ? { verdict: 'renew', file } : { verdict: 'not-for-this-system' };
};

/** The remaining rest time. A failure in the future was written while the clock was wrong, and does not count. */
export const restOf = ({ tries, atMs }: Pick<FailedRenewal, 'tries' | 'atMs'>, nowMs: number): number => {
  const restMs = restsMs[Math.min(tries, restsMs.length) - 1] ?? hourMs;
  return atMs <= nowMs ? Math.max(0, atMs + restMs - nowMs) : 0;
};
