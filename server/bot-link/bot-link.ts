import { type BotStatus, botReportSeconds } from '#contracts/bot.ts';
import type { ComponentHealth } from '#contracts/health.ts';

export interface BotReport {
  readonly status: BotStatus;
  readonly ageMs: number;
}

const missedReports = 3;

/**
 * An installation without a Discord token is whole: the bot then waits, and says so.
 * @param listeningMs how long the API has been there for the bot to report to
 */
export const botHealthOf = (
  report: BotReport | null,
  tokenConfigured: boolean,
  listeningMs: number,
): ComponentHealth => {
  if (!report) {
    // A bot that outlived the API's restart reports at its next turn; until then nothing is known to be wrong.
    const isDue = listeningMs > missedReports * botReportSeconds * 1000;
    return { status: isDue ? 'down' : 'ok', detail: 'The bot has not reported yet.' };
  }
  const { status, ageMs } = report;
  if (ageMs > missedReports * botReportSeconds * 1000)
    return { status: 'down', detail: `The bot has not reported for ${Math.round(ageMs / 1000)} s.` };
  const well = status.state === 'connected' || (status.state === 'waiting' && !tokenConfigured);
  return { status: well ? 'ok' : 'degraded', detail: `${status.state}: ${status.detail}` };
};

export interface BotLink {
  report(status: BotStatus): void;
  health(): ComponentHealth;
}

/**
 * What the bot's process last said of itself.
 * @param onChange told of every change of its state; the first one comes from null
 */
export const createBotLink = (
  tokenConfigured: boolean,
  onChange: (from: BotStatus['state'] | null, to: BotStatus) => void,
): BotLink => {
  const sinceMs = performance.now();
  let last: { readonly status: BotStatus; readonly atMs: number } | null = null;
  return {
    report(status) {
      const from = last?.status.state ?? null;
      if (from !== status.state) onChange(from, status);
      last = { status, atMs: performance.now() };
    },
    health() {
      const nowMs = performance.now();
      const report = last && { status: last.status, ageMs: nowMs - last.atMs };
      return botHealthOf(report, tokenConfigured, nowMs - sinceMs);
    },
  };
};
