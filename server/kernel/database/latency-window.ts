export interface Percentiles {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

interface LatencyWindow {
  add(atMs: number, latencyMs: number): void;
  /** @param withinMs counts only samples that are not older */
  percentiles(nowMs: number, withinMs?: number): Percentiles;
}

/** The round trips of the last `spanMs`, at most `capacity` of them. */
export const createLatencyWindow = (spanMs: number, capacity: number): LatencyWindow => {
  let samples: { readonly atMs: number; readonly latencyMs: number }[] = [];
  const forget = (nowMs: number) => {
    samples = samples.filter(({ atMs }) => nowMs - atMs <= spanMs).slice(-capacity);
  };
  return {
    add(atMs, latencyMs) {
      samples.push({ atMs, latencyMs });
      forget(atMs);
    },
    percentiles(nowMs, withinMs = spanMs) {
      forget(nowMs);
      const sorted = samples
        .filter(({ atMs }) => nowMs - atMs <= withinMs)
        .map(({ latencyMs }) => latencyMs)
        .sort((a, b) => a - b);
      return {
        p50Ms: nearestRank(sorted, 50),
        p95Ms: nearestRank(sorted, 95),
        p99Ms: nearestRank(sorted, 99),
      };
    },
  };
};

const nearestRank = (sorted: readonly number[], percent: number): number | null =>
  sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? null;
