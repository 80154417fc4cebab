import { expect, test } from 'vitest';
import type { ServicesAction } from '#contracts/desktop/desktop-services.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import { workElevated } from '../services/work-elevated.ts';
import { serveDesktop } from './services-for-desktop.ts';

/** Windows's service manager on a machine without our services; it records what it is told to do. */
const emptyManager = (orders: string[]): ServiceControl => {
  const order = (act: string) => async (service: string) => void orders.push(`${act} ${service}`);
  return {
    state: async () => 'absent',
    lastExit: async () => null,
    command: async () => null,
    create: order('create'),
    describe: order('describe'),
    recover: order('recover'),
    start: order('start'),
    stop: order('stop'),
    delete: order('delete'),
  };
};

// Guarantee: where no services are installed, starting and stopping them is refused with the command that installs them, before
// anything is done or shown as begun.
test.each<ServicesAction>(['start', 'stop', 'restart'])('%s without services', async (change) => {
  await using folder = await temporaryFolder('services');
  const home = folder.path;
  const [orders, steps]: [string[], string[]] = [[], []];
  const result = await workElevated({
    act: change,
    home,
    user: 'Eva',
    async runElevated(act) {
      if (act.act !== 'services') throw new Error('another act');
      const control = emptyManager(orders);
      const prepare = () => Promise.reject(new Error('nothing is installed here'));
      await serveDesktop(act.wire, change, { home, user: 'Eva', component: 'api', control, prepare });
      return { outcome: 'done', exitCode: 0 };
    },
    onStep: ({ kind }) => steps.push(kind),
    onAccess: async () => undefined,
    perform: async () => undefined,
  });
  expect(result).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('services install') });
  expect([orders, steps]).toEqual([[], []]);
});
