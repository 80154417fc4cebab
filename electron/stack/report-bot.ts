import { type BotProcess, botHttp } from '#contracts/discord/bot.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { fetchApi } from './local-api-call.ts';

const reportIntervalMs = 1000;
const timeoutMs = 2000;

/**
 * What can be said about the bot's process; null while a running one has not answered its last probe, which is not yet a
 * verdict but no proof of life either.
 */
export const botProcessIn = ({
  components,
  isSilent,
}: Pick<Supervisor, 'components' | 'isSilent'>): BotProcess | null => {
  const bot = components().find(({ name }) => name === 'bot');
  if (!bot || (bot.state === 'running' && isSilent('bot'))) return null;
  return { state: bot.state, reason: bot.reason };
};

/** Tells the API every second how the bot's process is. This way exists in app mode and in the bot's service. */
export const reportBot = ({
  supervisor,
  api,
  intervalMs = reportIntervalMs,
}: {
  readonly supervisor: Pick<Supervisor, 'components' | 'isSilent'>;
  /** Where the API is asked, read again for each report; null: not now. */
  readonly api: () => { readonly origin: string; readonly secret: Secret } | null;
  readonly intervalMs?: number;
}): Disposable => {
  let isUnderWay = false;
  const report = async () => {
    const target = api();
    const found = botProcessIn(supervisor);
    if (isUnderWay || target === null || found === null) return;
    isUnderWay = true;
    try {
      const { method, path } = botHttp.process;
      const response = await fetchApi(target.origin, target.secret, path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(found),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
    } catch {
      // The API is away; the next report tells it.
    } finally {
      isUnderWay = false;
    }
  };
  const timer = setInterval(() => void report(), intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
