import { waitingHttp } from '#contracts/operations/waiting.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { ApiProxy } from './api-proxy.ts';

const everyMs = 5000;
const deadlineMs = 10_000;

/** Watches how much waits for a person, for as long as the API can be asked. */
export const watchWaiting = ({
  api,
  tell,
  log,
  intervalMs = everyMs,
}: {
  readonly api: Pick<ApiProxy, 'refusal' | 'fetch'>;
  /** Called whenever the number of things that wait for a person changes; null: the API runs no more, or not yet. */
  readonly tell: (count: number | null) => void;
  readonly log: Log;
  readonly intervalMs?: number;
}): Disposable => {
  let known: number | null = null;
  const read = async (): Promise<number | null> => {
    if ((await api.refusal(false)) !== null) return null;
    const response = await api.fetch(waitingHttp.list.path, { signal: AbortSignal.timeout(deadlineMs) });
    if (!response.ok) {
      // Without a license, without its database, or while it starts.
      await response.body?.cancel();
      return null;
    }
    const { rows } = waitingHttp.list.response.parse(await response.json());
    return rows.reduce((sum, { count }) => sum + count, 0);
  };
  return runPeriodically({
    intervalMs,
    startsAtOnce: true,
    async work() {
      const count = await read().catch((error: unknown) => {
        log.debug({ err: error }, 'could not read what waits for a person; will retry');
        // An API that is late has not done what waits: the icon must not turn green for it.
        return known;
      });
      if (count === known) return;
      known = count;
      tell(count);
    },
    failure: 'could not show what waits for a person; will retry',
    log,
  });
};
