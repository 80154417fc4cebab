import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BotReport,
  type BotSettings,
  type BotStatus,
  type BotTraffic,
  botHttp,
  botReportSeconds,
} from '#contracts/discord/bot.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { Log } from '#runtime/log.ts';
import { wakes } from '#runtime/wake-watch.ts';
import { type ApiClient, ApiFault } from './api-client.ts';

interface ApiLink extends AsyncDisposable {
  /** Reported immediately, and again every 10 s. */
  set(status: BotStatus): void;
}

const intervalMs = botReportSeconds * 1000;

/** How long to wait after a report: an unreachable or unlicensed API is asked less and less often. */
export const nextReportMs = (failures: number): number =>
  failures === 0 ? intervalMs : backOffDelay({ firstMs: 1000, mostMs: intervalMs }, failures);

/**
 * Reports the bot's status to the API, and fetches the bot's settings whenever the answer names another revision of
 * them. An API that is unreachable or waits for a license is no reason to fail: the bot continues with what it has.
 */
export const startApiLink = (options: {
  readonly api: ApiClient;
  readonly fromEnv: BotReport['fromEnv'];
  /** Called for each report. */
  readonly latencyMs: () => number | null;
  readonly traffic: () => BotTraffic | null;
  /** Called whenever the saved settings may have changed; null: the API was asked first and has none to give. */
  readonly onSettings: (settings: BotSettings | null) => void;
  readonly log: Log;
}): ApiLink => {
  const { api, fromEnv, latencyMs, traffic, onSettings, log } = options;
  const stopping = new AbortController();
  const changes = new EventTarget();
  let status: BotStatus = {
    state: 'connecting',
    detail: 'starting',
    obstacle: null,
    guildName: null,
    clientId: '',
  };
  let obstacle: string | null = null;
  let revision: string | null = null;
  let isFirst = true;

  const exchange = async (): Promise<void> => {
    const report: BotReport = { ...status, fromEnv, latencyMs: latencyMs(), traffic: traffic() };
    const { signal } = stopping;
    const { revision: named } = await api.call(botHttp.report, { body: report }, { signal });
    if (named === null || named === revision) return;
    const settings = await api.call(botHttp.settings, {}, { signal });
    revision = settings.revision;
    isFirst = false;
    if (!signal.aborted) onSettings(settings);
  };

  const turn = async (): Promise<string | null> => {
    try {
      await exchange();
      return null;
    } catch (error) {
      if (error instanceof ApiFault) return error.message;
      throw error;
    }
  };

  const loop = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const waiting = new AbortController();
      const changed = once(changes, 'change', { signal: waiting.signal }).catch(() => undefined);
      const fault = await turn();
      failures = fault === null ? 0 : failures + 1;
      if (fault !== obstacle && !stopping.signal.aborted) {
        obstacle = fault;
        log.info(
          { fault },
          fault === null ? 'the API accepts reports' : 'the API is unavailable; reports are waiting',
        );
      }
      if (isFirst && !stopping.signal.aborted) onSettings(null);
      isFirst = false;
      const waited = delay(nextReportMs(failures), undefined, { signal: waiting.signal }).catch(
        () => undefined,
      );
      const stopped = once(stopping.signal, 'abort', { signal: waiting.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await Promise.race([waited, changed, stopped]);
      waiting.abort();
    }
  };
  const ended = loop();
  const listening = wakes.onWake(() => changes.dispatchEvent(new Event('change')));

  return {
    set(next) {
      status = next;
      changes.dispatchEvent(new Event('change'));
    },
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]();
      stopping.abort();
      await ended;
    },
  };
};
