import { expect, test } from 'vitest';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { ComponentState, StackStatus } from '#contracts/operations/stack.ts';
import {
  decideNotices,
  isSeenAt,
  keptSteps,
  type Notice,
  type NoticeFacts,
  type ToldSteps,
} from './notices.ts';

const dayMs = 86_400_000;
const gib = 2 ** 30;

const status = (api: ComponentState, bot: ComponentState = 'running'): StackStatus => {
  const component = (name: 'postgres' | 'api' | 'bot', state: ComponentState) => ({
    name,
    state,
    reason: state === 'failed' ? 'gave up' : null,
    pid: null,
    port: null,
    since: new Date(0).toISOString(),
    restarts: 0,
    lastLines: [],
  });
  const components = [component('postgres', 'running'), component('api', api), component('bot', bot)];
  return { state: 'running', home: '/', pid: 1, heldBy: 'x', apiUrl: 'http://x', components };
};
const license = (state: LicenseStatus['state'], graceEndsMs = 0, expiresMs = 0) =>
  ({
    state,
    detail: 'REVOKED by the portal',
    graceEndsAt: state === 'grace' ? new Date(graceEndsMs).toISOString() : null,
    expiresAt: state === 'grace' ? new Date(expiresMs).toISOString() : null,
  }) as LicenseStatus;
const fine: NoticeFacts = {
  status: status('running'),
  license: license('valid'),
  freeBytes: 100 * gib,
  updateReady: null,
  nowMs: 0,
};

/** The notices shown over a series of facts, each the usual ones except for what is given. */
const along = (
  way: readonly Partial<NoticeFacts>[],
  told: ToldSteps = {},
): readonly (readonly string[])[] => {
  let known = told;
  return way.map((given) => {
    const verdict = decideNotices({ ...fine, ...given }, known);
    known = verdict.told;
    return verdict.news.map(({ notice }) => notice.kind);
  });
};

// Guarantee: a component that gave up is reported once, however often it is checked and retried; its return, once.
test('a component gives up and comes back', () => {
  const failed = { status: status('failed') };
  expect(
    along([
      {},
      { status: status('crashed') },
      failed,
      failed,
      { status: status('starting') },
      failed,
      { status: status('running', 'starting') },
      {},
      {},
      failed,
    ]),
  ).toEqual([[], [], ['component-failed'], [], [], [], [], ['stack-back'], [], ['component-failed']]);
  expect(along([failed, { status: status('starting') }, {}, {}])).toEqual([
    ['component-failed'],
    [],
    ['stack-back'],
    [],
  ]);
});

// Guarantee: two failures are two notices and one return, which may come much later; stopping everything is no return.
test('stopped, and two at once', () => {
  const both = { status: status('failed', 'failed') };
  expect(along([both, { status: status('stopped', 'stopped') }, { status: status('starting') }, {}])).toEqual(
    [['component-failed', 'component-failed'], [], [], ['stack-back']],
  );
  expect(along([both, {}])).toEqual([['component-failed', 'component-failed'], ['stack-back']]);
});

// Guarantee: what Windows retries for ever, so that it never fails, is reported once when its trouble lasts; a component that
// comes back by itself is not, nor one that only needs another one that is down; the end of the trouble is reported.
test('a component in lasting trouble', () => {
  const minuteMs = 60_000;
  const after = (minutes: number, api: ComponentState, bot: ComponentState = 'running') => ({
    status: status(api, bot),
    nowMs: minutes * minuteMs,
  });
  expect(
    along([after(1, 'unhealthy'), after(1.5, 'running'), after(4.9, 'unhealthy'), after(4.95, 'running')]),
  ).toEqual([[], [], [], []]);
  expect(
    along([
      after(5, 'unhealthy', 'unhealthy'),
      after(90, 'unhealthy', 'unhealthy'),
      after(91, 'starting'),
      after(92, 'unhealthy'),
      after(93, 'running'),
    ]),
  ).toEqual([['component-troubled'], [], [], [], ['stack-back']]);
  expect(along([after(9, 'failed', 'unhealthy'), after(10, 'unhealthy')])).toEqual([
    ['component-failed'],
    ['component-troubled'],
  ]);
});

// Guarantee: grace is reported when the license has run out or will tomorrow, then at 7, 3 and 1 days left, each step once, also
// after a restart; a portal that was away for an hour causes no notice.
test('grace', () => {
  const grace = (daysLeft: number, isExpired = true) => ({
    license: license('grace', daysLeft * dayMs, isExpired ? -1 : 1),
  });
  expect(along([grace(7.5, false)])).toEqual([[]]);
  expect(along([grace(0.9, false)])).toEqual([['license-grace']]);
  const ends = 7 * dayMs;
  const day = (nowMs: number) => ({ license: license('grace', ends, 0), nowMs });
  const days = [0, 0.5, 2, 3.9, 4.1, 5, 6.1, 6.9];
  expect(along(days.map((at) => day(at * dayMs)))).toEqual([
    ['license-grace'],
    [],
    [],
    [],
    ['license-grace'],
    [],
    ['license-grace'],
    [],
  ]);
  const { told } = decideNotices({ ...fine, ...day(0) }, {});
  expect(along([day(1000), {}, day(2000)], keptSteps(told))).toEqual([[], [], ['license-grace']]);
});

// Guarantee: a refusal is reported once, its end too; after a restart it is reported again while it lasts, and not when it is over.
test('a license that does not hold', () => {
  const rejected = { license: license('rejected') };
  expect(along([rejected, rejected, { license: license('unlicensed') }, {}, {}])).toEqual([
    ['license-refused'],
    [],
    [],
    ['license-back'],
    [],
  ]);
  const { told } = decideNotices({ ...fine, ...rejected }, {});
  expect(keptSteps(told)).toEqual({});
});

// Guarantee: a filling disk is reported at two steps, and not again and again while its room varies around one.
test('a disk that fills', () => {
  const free = (count: number) => ({ freeBytes: count * gib });
  expect(
    along([free(10), free(1.9), free(2.1), free(1.9), free(0.4), free(1.9), free(0.4), free(3.5), free(1.9)]),
  ).toEqual([[], ['disk-low'], [], [], ['disk-low'], [], [], [], ['disk-low']]);
  expect(along([{ freeBytes: null }])).toEqual([[]]);
});

// Guarantee: people are not told what they already see, and are told what the page in front of them leaves out.
test('who looks on', () => {
  const failed: Notice = { kind: 'component-failed', component: 'api', reason: null };
  expect(isSeenAt(failed, '/players', false)).toBe(false);
  expect(isSeenAt(failed, '/players', true)).toBe(true);
  expect(isSeenAt(failed, '/computer/diagnostics?x=y', false)).toBe(true);
  expect(isSeenAt({ kind: 'license-refused', detail: '' }, '/players', false)).toBe(true);
  expect(isSeenAt({ kind: 'license-grace', daysLeft: 3 }, '/license', false)).toBe(true);
  expect(isSeenAt({ kind: 'disk-low', freeBytes: 1 }, '/computer/data', true)).toBe(false);
  const crashed: Notice = { kind: 'game-crashed', serverId: 'a', name: 'A' };
  expect(isSeenAt(crashed, '/servers/a', false)).toBe(true);
  expect(isSeenAt(crashed, '/servers/b', false)).toBe(false);
});

// Guarantee: an update is reported once per version, also after a restart.
test('an update', () => {
  const ready = { updateReady: '2.0.0' };
  expect(along([ready, ready, { updateReady: '2.0.1' }])).toEqual([['update-ready'], [], ['update-ready']]);
  expect(along([ready], keptSteps({ update: '2.0.0', api: 'failed', disk: '1' }))).toEqual([[]]);
});
