import { expect, test } from 'vitest';
import type { LicenseState } from '#contracts/license/license-state.ts';
import {
  componentNames,
  type StackState,
  type StackStatus,
  stackStates,
} from '#contracts/operations/stack.ts';
import { wordsFor } from './desktop-words.ts';
import { type TrayFacts, trayView } from './tray-view.ts';

const statusOf = (state: StackState, reason: string | null = null): StackStatus => ({
  state,
  home: '/home',
  pid: 1,
  heldBy: 'the desktop',
  apiUrl: 'http://127.0.0.1:3001',
  components: componentNames.map((name) => ({
    name,
    state: name === 'bot' && reason !== null ? 'failed' : 'running',
    reason: name === 'bot' ? reason : null,
    pid: 1,
    port: null,
    since: new Date(0).toISOString(),
    restarts: 0,
    lastLines: [],
  })),
});
const viewOf = (status: StackStatus, more: Partial<TrayFacts> = {}) =>
  trayView(
    {
      status,
      license: 'valid',
      waiting: 0,
      isAutostarted: false,
      isLeaving: false,
      isServices: false,
      ...more,
    },
    wordsFor('en-US'),
  );
const itemsOf = (view: ReturnType<typeof viewOf>) => view.menu.flat();

// Guarantee: no badge is shown only when everything runs under a license that holds.
test.each([
  ['running', 'valid', 'well'],
  ['running', 'grace', 'warning'],
  ['degraded', 'valid', 'warning'],
  ['failed', 'valid', 'bad'],
  ['starting', 'valid', 'busy'],
  ['unlicensed', 'rejected', 'bad'],
  ['stopping', 'valid', 'busy'],
  ['stopped', 'valid', 'stopped'],
] satisfies [StackState, LicenseState, string][])('%s, license %s: %s', (state, license, look) => {
  expect(viewOf(statusOf(state), { license }).look).toBe(look);
});

// Guarantee: what waits for a person is on the icon and in the tooltip, while the API that told it runs.
test('something waits for a person', () => {
  const view = viewOf(statusOf('running'), { waiting: 2 });
  expect([view.look, view.tooltip]).toEqual(['warning', 'Castellan: running\n2 things wait for you']);
  expect(viewOf(statusOf('running'), { waiting: null }).look).toBe('well');
  const degraded = viewOf(statusOf('degraded'), { waiting: 2 });
  expect(degraded.tooltip).toBe('Castellan: running with problems\n2 things wait for you');
  const stopped = viewOf(statusOf('stopped'), { waiting: 2 });
  expect([stopped.look, stopped.tooltip]).toEqual(['stopped', 'Castellan: stopped']);
});

// Guarantee: the tooltip gives the reason, and is never longer than Windows shows.
test('tooltip', () => {
  expect(viewOf(statusOf('degraded', 'the token is wrong')).tooltip).toBe(
    'Castellan: running with problems\nbot: the token is wrong',
  );
  expect(viewOf(statusOf('degraded', 'x'.repeat(500))).tooltip).toHaveLength(127);
});

// Guarantee: in each state and language only what would have an effect can be chosen, and quitting is always possible.
test.each(stackStates)('menu while %s', (state) => {
  for (const locale of ['en-US', 'pt-BR']) {
    const items = trayView(
      {
        status: statusOf(state),
        license: null,
        waiting: null,
        isAutostarted: true,
        isLeaving: false,
        isServices: false,
      },
      wordsFor(locale),
    ).menu.flat();
    const can = (act: string) => items.find(({ does }) => does.act === act)?.isEnabled;
    const rests = state === 'stopped';
    const runs = !rests && state !== 'stopping';
    expect([can('start'), can('stop'), can('restart'), can('quit')]).toEqual([rests, runs, runs, true]);
    expect(items.find(({ does }) => does.act === 'autostart')?.isOn).toBe(true);
  }
});

// Guarantee: while the desktop ends, nothing can be started that would only be cut off.
test('leaving', () => {
  const view = viewOf(statusOf('stopping'), { isLeaving: true });
  expect(itemsOf(view).some(({ isEnabled }) => isEnabled)).toBe(false);
  expect(view.tooltip).toMatch(/^Castellan is stopping/);
});

// Guarantee: where Windows runs the stack, the tray says before and while the desktop ends that this stops nothing.
test('leaving what runs as services', () => {
  const before = itemsOf(viewOf(statusOf('running'), { isServices: true }));
  expect(before.find(({ does }) => does.act === 'quit')?.label).toBe('Quit and leave the services running');
  const leaving = viewOf(statusOf('running'), { isServices: true, isLeaving: true });
  expect(leaving.tooltip).toBe('Castellan: running');
});
