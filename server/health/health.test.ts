import { expect, test } from 'vitest';
import { type BotTraffic, botObstacles } from '#contracts/bot.ts';
import type { StackHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import { agentsHealthOf } from '../agents/agent-view.ts';
import { botHealthOf } from '../bot-link/bot-link.ts';
import { databaseHealthOf } from './database.routes.ts';
import { followTroubles, overallStatus } from './health.ts';

const ok = { status: 'ok', detail: null } as const;
const degraded = { status: 'degraded', detail: 'x' } as const;
const down = { status: 'down', detail: 'x' } as const;
const well: StackHealth['components'] = {
  api: ok,
  database: ok,
  queues: ok,
  bot: ok,
  agents: ok,
  secrets: ok,
  disk: ok,
  backups: ok,
  entitlements: ok,
  bans: ok,
  integrity: ok,
};

// Guarantee: the overall status is as bad as the worst component, but down only when the API cannot work at all.
test('the overall status', () => {
  expect(overallStatus(well)).toBe('ok');
  expect(overallStatus({ ...well, bot: degraded })).toBe('degraded');
  expect(overallStatus({ ...well, bot: down })).toBe('degraded');
  expect(overallStatus({ ...well, database: degraded })).toBe('degraded');
  expect(overallStatus({ ...well, database: down, queues: down })).toBe('down');
});

// Guarantee: an installation without a Discord token is healthy; one whose token Discord rejects is not.
test('the bot', () => {
  const waiting = { state: 'waiting', obstacle: 'no-token', detail: 'no token', traffic: null } as const;
  expect(botHealthOf({ status: waiting, ageMs: 0 }, 0)).toEqual({
    status: 'ok',
    detail: 'waiting: no token',
  });
  for (const obstacle of botObstacles.filter((each) => each !== 'no-token'))
    expect(botHealthOf({ status: { ...waiting, obstacle }, ageMs: 0 }, 0).status).toBe('degraded');
  const connected = { state: 'connected', obstacle: null, detail: 'Signed in.', traffic: null } as const;
  expect(botHealthOf({ status: connected, ageMs: 29_000 }, 0).status).toBe('ok');
  expect(botHealthOf({ status: waiting, ageMs: 31_000 }, 0)).toEqual({
    status: 'down',
    detail: 'The bot has not reported for 31 s.',
  });
  expect(botHealthOf(null, 30_000).status).toBe('ok');
  expect(botHealthOf(null, 31_000).status).toBe('down');
});

// Guarantee: a bot whose requests wait for long, or whose messages fail, is degraded, and the reason is given.
test('the bot in trouble with Discord', () => {
  const connected = { state: 'connected', obstacle: null, detail: 'Signed in.' } as const;
  const quiet = { waiting: 0, oldestWaitMs: 0, failingChannels: 0, errors: [] };
  const health = (traffic: Partial<BotTraffic>) =>
    botHealthOf({ status: { ...connected, traffic: { ...quiet, ...traffic } }, ageMs: 0 }, 0);
  expect(health({ waiting: 9, oldestWaitMs: 30_000 })).toEqual({
    status: 'ok',
    detail: 'connected: Signed in.',
  });
  expect(health({ waiting: 9, oldestWaitMs: 31_000 })).toEqual({
    status: 'degraded',
    detail: 'connected: Signed in. Requests that wait for Discord: 9. The oldest has waited 31 s.',
  });
  const error = { at: '', request: '', status: 403, code: '50013', message: 'Missing Permissions', count: 1 };
  expect(health({ failingChannels: 2, errors: [error] })).toEqual({
    status: 'degraded',
    detail: 'connected: Signed in. Channels in which messages fail: 2. Last error: 50013 Missing Permissions',
  });
});

// Guarantee: a fully used pool is not reported as an unreachable database.
test('the database', () => {
  expect(databaseHealthOf({ answered: true, latencyMs: 1 }, null, [])).toEqual(ok);
  expect(databaseHealthOf({ answered: true, latencyMs: 1 }, 'migrating', []).status).toBe('down');
  expect(databaseHealthOf({ answered: false, busy: true, detail: 'full' }, null, []).status).toBe('degraded');
  expect(databaseHealthOf({ answered: false, busy: false, detail: 'away' }, null, []).status).toBe('down');
  expect(databaseHealthOf({ answered: true, latencyMs: 1 }, null, ['0098-one', '0099-other'])).toEqual({
    status: 'degraded',
    detail: healthReasons['database-newer']('0099-other'),
  });
});

// Guarantee: silent agents are named.
test('the agents', () => {
  const agent = { serverId: '1', serverName: 'Island', mode: null, lastSeenAt: null, stale: true };
  expect(agentsHealthOf([agent])).toEqual({ status: 'degraded', detail: 'No word from: Island.' });
  expect(agentsHealthOf([]).status).toBe('ok');
});

// Guarantee: a problem keeps its start time while it lasts, whatever it turns into, and starts over after it has ended.
test('since when something is not well', () => {
  let second = 0;
  const at = (s: number) => new Date(s * 1000).toISOString();
  const follow = followTroubles(() => new Date(second * 1000));
  expect(follow(well, 'valid')).toEqual({});
  second = 1;
  expect(follow({ ...well, bot: degraded }, 'valid')).toEqual({ bot: at(1) });
  second = 2;
  expect(follow({ ...well, bot: down }, 'grace')).toEqual({ bot: at(1), license: at(2) });
  second = 3;
  expect(follow(well, 'valid')).toEqual({});
  second = 4;
  expect(follow({ ...well, bot: down }, 'valid')).toEqual({ bot: at(4) });
});
