import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import type { ServiceControl } from './service-control.ts';
import { ServiceRefusedError } from './service-control.ts';
import { serviceHost } from './service-host.ts';
import type { ServiceState } from './service-state.ts';

/** Windows's service manager, with one service. */
const fakeWindows = (first: ServiceState) => {
  let state = first;
  const set = (next: ServiceState) => {
    state = next;
  };
  const order = async (wanted: ServiceState) => {
    if (state !== 'absent') set(wanted);
  };
  const control: ServiceControl = {
    state: async () => state,
    command: async () => null,
    create: async () => set('stopped'),
    describe: async () => undefined,
    recover: async () => undefined,
    start: () => order('running'),
    stop: () => order('stopped'),
    delete: async () => set('absent'),
  };
  return { control, set, state: () => state };
};

const supervise = (control: ServiceControl) => {
  const probe = async () => ({ condition: 'ok', detail: null }) as const;
  const host = serviceHost({ service: 'Castellan-API', control, probe, pollMs: 5 });
  return createSupervisor({ components: [{ name: 'api', host, port: () => null }], random: () => 0 });
};
const stateOf = (supervisor: ReturnType<typeof supervise>) => supervisor.components()[0]?.state;

// Guarantee: a service is steered as a child process is: started, asked how it is, started again when it was stopped behind
// our back, stopped.
test('a component as a Windows Service', async () => {
  const windows = fakeWindows('stopped');
  const supervisor = supervise(windows.control);
  await supervisor.start();
  expect(windows.state()).toBe('running');
  expect(stateOf(supervisor)).toBe('running');

  windows.set('stopped');
  await eventually(() => expect(windows.state()).toBe('running'));
  await eventually(() => expect(stateOf(supervisor)).toBe('running'));

  await supervisor.stop();
  expect(windows.state()).toBe('stopped');
  expect(stateOf(supervisor)).toBe('stopped');
});

// Guarantee: a service that is not installed, or that we may not start, is said to be so and not tried again and again.
test('a service that cannot be started', async () => {
  const missing = supervise(fakeWindows('absent').control);
  await missing.start();
  expect(missing.components()[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('not installed'),
  });

  const start = () => Promise.reject(new ServiceRefusedError('Castellan-API', 5));
  const forbidden = supervise({ ...fakeWindows('stopped').control, start });
  await forbidden.start();
  expect(forbidden.components()[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('administrator'),
  });
});
