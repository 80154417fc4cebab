import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../program.ts';
import type { ServiceControl } from './service-control.ts';
import type { ServiceState } from './service-state.ts';

const pollMs = 200;
/** Longer than the service host grants its program. */
const deadlineMs = 60_000;

/** Waits until Windows says that a service has come to one of these states. @throws {StartupError} when it does not */
export const awaitState = async (
  control: ServiceControl,
  service: string,
  wanted: readonly ServiceState[],
): Promise<void> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const state = await control.state(service);
    if (wanted.includes(state)) return;
    if (performance.now() > until)
      throw new StartupError(`${service} is still ${state} after ${deadlineMs / 1000} s`);
    await delay(pollMs);
  }
};

/** An ordered stop to its end; a service that is not there is stopped. */
export const stopService = async (control: ServiceControl, service: string): Promise<void> => {
  // One that has just begun takes no stop yet.
  if ((await control.state(service)) === 'starting')
    await awaitState(control, service, ['running', 'stopped', 'absent']);
  await control.stop(service);
  await awaitState(control, service, ['stopped', 'absent']);
};
