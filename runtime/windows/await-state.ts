import { setTimeout as delay } from 'node:timers/promises';
import { windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { StartupError } from '../program.ts';
import type { ServiceControl } from './service-control.ts';
import type { ServiceState } from './service-state.ts';

const pollMs = 200;
/** Longer than the service host gives its program. */
const deadlineMs = 60_000;

/** Waits until Windows reports one of these states for a service. @throws {StartupError} when it does not */
export const awaitState = async (
  control: ServiceControl,
  service: string,
  wanted: readonly ServiceState[],
): Promise<void> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const state = await control.state(service);
    if (wanted.includes(state)) return;
    if (performance.now() > until) {
      const code = await control.lastExit(service);
      const why = code === null ? '' : `. ${windowsAnswerText({ asked: `sc query ${service}`, code }, 'en')}`;
      throw new StartupError(`${service} is still ${state} after ${deadlineMs / 1000} s${why}`);
    }
    await delay(pollMs);
  }
};

/** Stops a service and waits until it has stopped; a missing service counts as stopped. */
export const stopService = async (control: ServiceControl, service: string): Promise<void> => {
  // A service that has just begun to start accepts no stop yet.
  if ((await control.state(service)) === 'starting')
    await awaitState(control, service, ['running', 'stopped', 'absent']);
  await control.stop(service);
  await awaitState(control, service, ['stopped', 'absent']);
};
