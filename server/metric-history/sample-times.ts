import { metricSpans } from '#contracts/metric-history.ts';

export const sampleMs = metricSpans.hour.stepSeconds * 1000;
export const minuteMs = 60_000;

/** The step that ends now, by its start: a timer comes a little early or late. */
export const stepEndingAt = (nowMs: number): number => Math.round(nowMs / sampleMs) * sampleMs - sampleMs;

/** When the step after the one that ends now ends. */
export const nextSampleAt = (nowMs: number): number => stepEndingAt(nowMs) + 2 * sampleMs;
