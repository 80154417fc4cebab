import { setTimeout as delay } from 'node:timers/promises';
import {
  CannotStartError,
  type ComponentHost,
  type Health,
  type ProcessEnd,
  type RunningProcess,
} from '../supervisor/component.ts';
import { stopService } from './await-state.ts';
import { type ServiceControl, ServiceRefusedError } from './service-control.ts';
import type { ServiceName } from './service-names.ts';
import type { ServiceState } from './service-state.ts';

export interface ServiceHostOptions {
  readonly service: ServiceName;
  readonly control: ServiceControl;
  /** Windows says only that there is a process; this asks it how it is. */
  readonly probe: (signal: AbortSignal) => Promise<Health>;
  /** How often Windows is asked whether it still runs. */
  readonly pollMs?: number;
}

const defaultPollMs = 1000;

/** Runs a component as a Windows Service. One that runs already is taken over as it is. */
export const serviceHost = ({
  service,
  control,
  probe,
  pollMs = defaultPollMs,
}: ServiceHostOptions): ComponentHost => ({
  async start(signal) {
    if ((await control.state(service)) === 'absent')
      throw new CannotStartError(`${service} is not installed; install it with: castellan services install`);
    await control.start(service).catch((error: unknown) => {
      throw error instanceof ServiceRefusedError && error.reason !== 'failed'
        ? new CannotStartError(error.message)
        : error;
    });
    while ((await control.state(service)) === 'starting' && !signal.aborted) await delay(pollMs);
    return runningService(service, control, probe, pollMs);
  },
});

const ends: Partial<Record<ServiceState, string>> = {
  absent: 'the service was uninstalled',
  stopped: 'the service was stopped',
};

const runningService = (
  service: ServiceName,
  control: ServiceControl,
  probe: ServiceHostOptions['probe'],
  pollMs: number,
): RunningProcess => {
  const ended = async (): Promise<ProcessEnd> => {
    for (;;) {
      // That Windows could not be asked says nothing about the service.
      const state = await control.state(service).catch(() => null);
      const reason = state ? ends[state] : undefined;
      if (reason !== undefined) return { reason, needsConfiguration: state === 'absent', lastLines: [] };
      await delay(pollMs);
    }
  };
  const end = ended();
  return {
    pid: null,
    ended: end,
    probe,
    async stop() {
      // Its own host ends what does not stop in time; all that is left to us is to ask again.
      while (
        !(await stopService(control, service).then(
          () => true,
          () => false,
        ))
      )
        await delay(pollMs);
      await end;
    },
  };
};
