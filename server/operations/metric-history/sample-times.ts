import { metricSpans } from '#contracts/operations/metric-history.ts';

export const sampleMs = metricSpans.hour.stepSeconds * 1000;
export const minuteMs = 60_000;

/** The start of the step that ends now: a timer fires a little early or late. */
export const stepEndingAt = (nowMs: number): number => Math.round(nowMs / sampleMs) * sampleMs - sampleMs;

/** The end of the next step. */
export const nextSampleAt = (nowMs: number): number => stepEndingAt(nowMs) + 2 * sampleMs;
