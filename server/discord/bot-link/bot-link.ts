import {
  type BotProcess,
  type BotReport,
  type BotTraffic,
  botProcessFreshMs,
  botReportSeconds,
} from '#contracts/discord/bot.ts';
import type { ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export interface AgedReport {
  readonly status: Pick<BotReport, 'state' | 'detail' | 'obstacle' | 'traffic'>;
  readonly ageMs: number;
}

const missedReportsMs = 3 * botReportSeconds * 1000;

export interface AgedProcess extends BotProcess {
  readonly ageMs: number;
}

/** Whether its process runs is the supervisor's to say, and what the process does is its own. */
export const botHealthOf = ({
  report,
  process,
  listeningMs,
}: {
  /** What the bot says about itself; null: nothing yet. */
  readonly report: AgedReport | null;
  /** What its supervisor says; null: nothing yet, as where no supervisor runs it. */
  readonly process: AgedProcess | null;
  /** How long the API has been there for the bot to report to. */
  readonly listeningMs: number;
}): ComponentHealth => {
  const silentMs = report?.ageMs ?? listeningMs;
  if (process && process.ageMs <= botProcessFreshMs && process.state !== 'running')
    return unwellProcess(process);
  if (silentMs > missedReportsMs)
    return {
      status: 'down',
      detail: report
        ? healthReasons['bot-silent'](Math.round(silentMs / 1000))
        : healthReasons['bot-not-reported'],
    };
  if (process && process.ageMs > botProcessFreshMs)
    return {
      status: 'unknown',
      detail: healthReasons['supervisor-silent'](Math.round(process.ageMs / 1000)),
    };
  return report
    ? ownHealthOf(report.status)
    : { status: 'unknown', detail: healthReasons['bot-not-reported'] };
};

const unwellProcess = ({ state, reason }: BotProcess): ComponentHealth => {
  if (state === 'starting') return { status: 'unknown', detail: healthReasons['bot-starting'] };
  if (state === 'unhealthy') return { status: 'down', detail: healthReasons['bot-frozen'] };
  if (state === 'crashed') return { status: 'down', detail: healthReasons['bot-crashed'](reason ?? '') };
  if (state === 'failed') return { status: 'down', detail: healthReasons['bot-given-up'](reason ?? '') };
  return { status: 'down', detail: healthReasons['bot-stopped'] };
};

/** An installation without a Discord token is complete: the bot then waits, and says so. */
const ownHealthOf = (status: AgedReport['status']): ComponentHealth => {
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
  reportProcess(process: BotProcess): void;
  /** Its last report; null when it has said nothing for too long. */
  last(): BotReport | null;
  health(): ComponentHealth;
}

/** What the bot's process last reported about itself, and its supervisor about the process. */
export const createBotLink = ({ events }: Pick<Kernel, 'events'>): BotLink => {
  const sinceMs = performance.now();
  let last: { readonly report: BotReport; readonly atMs: number } | null = null;
  let lastProcess: { readonly process: BotProcess; readonly atMs: number } | null = null;
  return {
    report(report) {
      const from = last?.report.state ?? null;
      if (from !== report.state)
        events.record('bot.state-changed', { from, to: report.state, detail: report.detail });
      last = { report, atMs: performance.now() };
    },
    reportProcess(process) {
      lastProcess = { process, atMs: performance.now() };
    },
    last: () => (last && performance.now() - last.atMs <= missedReportsMs ? last.report : null),
    health() {
      const nowMs = performance.now();
      return botHealthOf({
        report: last && { status: last.report, ageMs: nowMs - last.atMs },
        process: lastProcess && { ...lastProcess.process, ageMs: nowMs - lastProcess.atMs },
        listeningMs: nowMs - sinceMs,
      });
    },
  };
};
