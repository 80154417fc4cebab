import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type BotStatus, botHttp, botReportSeconds } from '#contracts/bot.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';

export interface StatusReporterOptions {
  readonly apiUrl: string;
  readonly secret: Secret;
  readonly log: Log;
}

export interface StatusReporter extends AsyncDisposable {
  /** Reported at once, and again every 10 s. */
  set(status: BotStatus): void;
}

const requestDeadlineMs = 5000;
const intervalMs = botReportSeconds * 1000;

/** How long to wait after a report: an API that is away or unlicensed is asked less and less often, and comes back. */
export const nextReportMs = (failures: number): number =>
  failures === 0 ? intervalMs : backOffDelay({ firstMs: 1000, mostMs: intervalMs }, failures);

/** Tells the API how the bot is. An API that is away, or waits for a license, is nothing to fail over. */
export const startStatusReporter = ({ apiUrl, secret, log }: StatusReporterOptions): StatusReporter => {
  const address = new URL(botHttp.report.path, apiUrl);
  const stopping = new AbortController();
  const changes = new EventTarget();
  let status: BotStatus = { state: 'connecting', detail: 'starting' };
  let obstacle: string | null = null;

  const send = async (): Promise<string | null> => {
    try {
      const response = await fetch(address, {
        method: botHttp.report.method,
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret.reveal()}` },
        body: JSON.stringify(status),
        redirect: 'error',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(requestDeadlineMs)]),
      });
      await response.body?.cancel();
      return response.ok ? null : `the API answers ${response.status}`;
    } catch {
      return 'the API does not answer';
    }
  };

  const loop = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const turn = new AbortController();
      const changed = once(changes, 'change', { signal: turn.signal }).catch(() => undefined);
      const fault = await send();
      failures = fault === null ? 0 : failures + 1;
      if (fault !== obstacle && !stopping.signal.aborted) {
        obstacle = fault;
        log.info({ fault }, fault === null ? 'the API takes reports' : 'reports wait for the API');
      }
      const waited = delay(nextReportMs(failures), undefined, { signal: turn.signal }).catch(() => undefined);
      const stopped = once(stopping.signal, 'abort', { signal: turn.signal }).catch(() => undefined);
      if (!stopping.signal.aborted) await Promise.race([waited, changed, stopped]);
      turn.abort();
    }
  };
  const ended = loop();

  return {
    set(next) {
      status = next;
      changes.dispatchEvent(new Event('change'));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
};
