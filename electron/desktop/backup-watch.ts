import { backupsHttp } from '#contracts/operations/backups.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { ApiProxy } from './api-proxy.ts';

const everyMs = 10_000;
const deadlineMs = 10_000;

/** Watches whether a backup is being taken, regardless of what started it, for as long as the API can be asked. */
export const watchBackups = ({
  api,
  tell,
  log,
}: {
  readonly api: Pick<ApiProxy, 'refusal' | 'fetch'>;
  /** Called whenever the answer changes. */
  readonly tell: (isBackingUp: boolean) => void;
  readonly log: Log;
}): Disposable => {
  let known = false;
  const isRunning = async (): Promise<boolean> => {
    if ((await api.refusal(false)) !== null) return false;
    const response = await api.fetch(backupsHttp.status.path, { signal: AbortSignal.timeout(deadlineMs) });
    if (response.ok) return backupsHttp.status.response.parse(await response.json()).runningSince !== null;
    // Without a license, or while it starts, the API does not answer.
    await response.body?.cancel();
    return false;
  };
  return runPeriodically({
    intervalMs: everyMs,
    async work() {
      const isBackingUp = await isRunning();
      if (isBackingUp === known) return;
      known = isBackingUp;
      tell(isBackingUp);
    },
    failure: 'could not check whether a backup is running; will retry',
    log,
  });
};
