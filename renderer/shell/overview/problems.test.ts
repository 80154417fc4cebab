import { expect, test } from 'vitest';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import type { Waiting } from '#contracts/operations/waiting.ts';
import type { GameServer, ShownState } from '#contracts/servers/game-servers.ts';
import { problemsOf, quietVerdict, unknownsOf } from './problems.ts';

const healthWith = (
  components: Partial<StackHealth['components']>,
  troubleSince: StackHealth['troubleSince'] = {},
  license: StackHealth['license'] = 'valid',
): StackHealth => {
  const bot = { status: 'ok', detail: 'waiting: no token' } as const;
  return healthReport({ license, troubleSince, components: { bot, ...components } });
};
const since = '2026-01-02T03:04:05.000Z';
const serverThat = (shown: ShownState): GameServer => ({
  id: shown,
  clusterId: 'c',
  name: shown,
  game: 'minecraft',
  host: null,
  port: 1,
  hasPassword: false,
  createdAt: since,
  archivedAt: null,
  version: 1,
  status: {
    state: 'unknown',
    detail: null,
    outcome: null,
    via: null,
    since,
    answeredAt: null,
    players: null,
    agentMode: null,
    shown,
    process: null,
  },
});

// Guarantee: anything not set up, in progress or unknowable is no problem; neither is a server that a person stopped.
test('nothing is wrong', () => {
  const servers = (['online', 'running', 'starting', 'stopping', 'stopped', 'lost', 'unknown'] as const).map(
    serverThat,
  );
  expect(problemsOf(healthWith({}), servers)).toEqual([]);
  expect(problemsOf(undefined, [])).toEqual([]);
});

// Guarantee: unknown parts are counted, so that they do not pass as working.
test('what is not known', () => {
  expect(unknownsOf(healthWith({}), (['online', 'stopped'] as const).map(serverThat))).toBe(0);
  const silentBot = { bot: { status: 'ok', detail: 'The bot has not reported yet.' } as const };
  expect(unknownsOf(healthWith(silentBot), (['lost', 'unknown', 'online'] as const).map(serverThat))).toBe(3);
});

// Guarantee: each problem says how long it has existed, as far as that is known; the worst comes first.
test('what is wrong', () => {
  const health = healthWith(
    { bot: { status: 'degraded', detail: 'x' }, database: { status: 'down', detail: 'y' } },
    { database: since },
    'grace',
  );
  const servers = (['console-silent', 'offline', 'backing-off', 'crash-looping'] as const).map(serverThat);
  const told = problemsOf(health, servers).map((problem) => [
    problem.kind === 'part' ? problem.part.name : problem.shown,
    problem.tone,
    problem.since,
  ]);
  expect(told).toEqual([
    ['database', 'bad', since],
    ['offline', 'bad', since],
    ['crash-looping', 'bad', since],
    ['bot', 'warn', null],
    ['license', 'warn', null],
    ['console-silent', 'warn', since],
    ['backing-off', 'warn', since],
  ]);
});

// Guarantee: everything works only once all was read, nothing waits for a person, and every server that should run does.
test('what is said without a problem', () => {
  const nothing: Waiting = { rows: [], isWhole: true };
  const row = { kind: 'deliveries', count: 3, since, tone: 'warn', to: '/desk' } as const;
  const well = {
    isUnreadable: false,
    isRead: true,
    unknowns: 0,
    servers: [serverThat('online')],
    waiting: nothing,
  };
  expect(quietVerdict(well)).toEqual({ say: 'well' });
  expect(quietVerdict({ ...well, servers: [serverThat('stopped')] })).toEqual({ say: 'well' });
  const some = { ...nothing, rows: [row, { ...row, count: 2 }] };
  expect(quietVerdict({ ...well, unknowns: 1, waiting: some })).toEqual({ say: 'waits', count: 5 });
  expect(quietVerdict({ ...well, waiting: undefined })).toEqual({ say: 'unread' });
  expect(quietVerdict({ ...well, isRead: false })).toEqual({ say: 'unread' });
  expect(quietVerdict({ ...well, isUnreadable: true, waiting: some })).toEqual({ say: 'unreadable' });
  expect(quietVerdict({ ...well, unknowns: 2 })).toEqual({ say: 'unknown', count: 2 });
  const moving = [serverThat('starting'), serverThat('stopping'), serverThat('online')];
  expect(quietVerdict({ ...well, servers: moving })).toEqual({ say: 'starting', count: 2 });
});
