import { type BotReport, type BotStatus, type BotTraffic, botReportSeconds } from '#contracts/bot.ts';
import type { ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';

export interface AgedReport {
  readonly status: Pick<BotReport, 'state' | 'detail' | 'obstacle' | 'traffic'>;
  readonly ageMs: number;
}

const missedReportsMs = 3 * botReportSeconds * 1000;

/**
 * An installation without a Discord token is complete: the bot then waits, and says so.
 * @param listeningMs how long the API has been there for the bot to report to
 */
export const botHealthOf = (report: AgedReport | null, listeningMs: number): ComponentHealth => {
  if (!report) {
    // A bot that outlived the API's restart reports on its next turn; until then nothing is known to be wrong.
    return {
      status: listeningMs > missedReportsMs ? 'down' : 'ok',
      detail: healthReasons['bot-not-reported'],
    };
  }
  const { status, ageMs } = report;
  if (ageMs > missedReportsMs)
    return { status: 'down', detail: healthReasons['bot-silent'](Math.round(ageMs / 1000)) };
  const well = status.state === 'connected' || status.obstacle === 'no-token';
  const trouble = status.traffic && troubleOf(status.traffic);
  return {
    status: well && !trouble ? 'ok' : 'degraded',
    detail: `${status.state}: ${[status.detail, ...(trouble ? [trouble] : [])].join(' ')}`,
  };
};

/** Longer than any bucket of a channel; people notice longer waits. */
const longWaitMs = 30_000;

/** In words; null when Discord accepts what the bot asks. */
const troubleOf = ({ waiting, oldestWaitMs, failingChannels, errors }: BotTraffic): string | null => {
  const [last] = errors;
  const parts = [
    ...(oldestWaitMs > longWaitMs
      ? [healthReasons['bot-requests-wait'](waiting, Math.round(oldestWaitMs / 1000))]
      : []),
    ...(failingChannels > 0
      ? [
          healthReasons['bot-channels-fail'](failingChannels),
          ...(last ? [healthReasons['bot-last-error'](`${last.code} ${last.message}`)] : []),
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
};

export interface BotLink {
  report(report: BotReport): void;
  /** Its last report; null when it has said nothing for too long. */
  last(): BotReport | null;
  health(): ComponentHealth;
}

/**
 * What the bot's process last reported about itself.
 * @param onChange called on every change of its state; the first one comes from null
 */
export const createBotLink = (
  onChange: (from: BotStatus['state'] | null, to: BotStatus) => void,
): BotLink => {
  const sinceMs = performance.now();
  let last: { readonly report: BotReport; readonly atMs: number } | null = null;
  return {
    report(report) {
      const from = last?.report.state ?? null;
      if (from !== report.state) onChange(from, report);
      last = { report, atMs: performance.now() };
    },
    last: () => (last && performance.now() - last.atMs <= missedReportsMs ? last.report : null),
    health() {
      const nowMs = performance.now();
      const report = last && { status: last.report, ageMs: nowMs - last.atMs };
      return botHealthOf(report, nowMs - sinceMs);
    },
  };
};
