import { expect, test } from 'vitest';
import { type BotTraffic, botObstacles } from '#contracts/discord/bot.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { outsideFaults } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { type AgedProcess, type AgedReport, botHealthOf } from '../../discord/bot-link/bot-link.ts';
import { agentsHealthOf } from '../../servers/agents/agent-view.ts';
import { databaseHealthOf } from './database.routes.ts';
import { followTroubles, overallStatus } from './health.ts';
import { licenseHealthOf, licenseRemainingMs } from './license-health.ts';
import { apiHealthOf } from './stack-health.ts';

const ok = { status: 'ok', detail: null } as const;
const degraded = { status: 'degraded', detail: 'x' } as const;
const unknown = { status: 'unknown', detail: 'x' } as const;
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
  license: ok,
};

// Guarantee: what is wrong with the certificate, and with the settings that lead to the internet, is said beside the API, which works on.
test('what the API works on with', () => {
  const settings = {
    ...{ trustedCaFile: '/nowhere/root.pem', proxy: undefined, noProxy: '' },
    unused: [{ setting: 'HTTPS_PROXY', value: new Secret('socks5://me:pass-word@proxy.example') }],
  };
  const api = apiHealthOf(['It has ended.', ...outsideFaults(settings)], null);
  expect([overallStatus({ ...well, api }), api.status]).toEqual(['degraded', 'degraded']);
  expect(api.detail).toMatch(
    /^It has ended\. HTTPS_PROXY is not used: .*socks5.* TRUSTED_CA_FILE is not used: \/nowhere\/root\.pem does not exist/,
  );
  expect(api.detail).not.toContain('pass-word');
  expect(apiHealthOf([], null)).toEqual(ok);
});

// Guarantee: the overall status is as bad as the worst component.
test('the overall status', () => {
  expect(overallStatus(well)).toBe('ok');
  expect(overallStatus({ ...well, bot: degraded })).toBe('degraded');
  expect(overallStatus({ ...well, bot: down })).toBe('down');
  expect(overallStatus({ ...well, bot: unknown })).toBe('unknown');
  expect(overallStatus({ ...well, bot: unknown, license: degraded })).toBe('degraded');
  expect(overallStatus({ ...well, database: degraded })).toBe('degraded');
  expect(overallStatus({ ...well, database: down, queues: down })).toBe('down');
});

// Guarantee: an installation without a Discord token is healthy; one whose token Discord rejects is not.
test('the bot', () => {
  const of = (report: AgedReport | null, listeningMs = 0) =>
    botHealthOf({ report, process: null, listeningMs });
  const waiting = { state: 'waiting', obstacle: 'no-token', detail: 'no token', traffic: null } as const;
  expect(of({ status: waiting, ageMs: 0 })).toEqual({ status: 'ok', detail: 'waiting: no token' });
  for (const obstacle of botObstacles.filter((each) => each !== 'no-token'))
    expect(of({ status: { ...waiting, obstacle }, ageMs: 0 }).status).toBe('degraded');
  const connected = { state: 'connected', obstacle: null, detail: 'Signed in.', traffic: null } as const;
  expect(of({ status: connected, ageMs: 29_000 }).status).toBe('ok');
  expect(of({ status: waiting, ageMs: 31_000 })).toEqual({
    status: 'down',
    detail: 'The bot has not reported for 31 s.',
  });
  expect(of(null, 30_000).status).toBe('unknown');
  expect(of(null, 31_000).status).toBe('down');
});

// Guarantee: whether the bot's process runs is what its supervisor says, however well the bot itself has reported; what the
// supervisor said more than 5 s ago says nothing.
test('the supervisor of the bot', () => {
  const status = { state: 'connected', obstacle: null, detail: 'Signed in.', traffic: null } as const;
  const of = (process: Partial<AgedProcess>, reportMs = 9000) =>
    botHealthOf({
      report: { status, ageMs: reportMs },
      process: { state: 'running', reason: null, ageMs: 1000, ...process },
      listeningMs: 60_000,
    });
  expect(of({}).status).toBe('ok');
  expect(of({ ageMs: 5000 }).status).toBe('ok');
  expect(of({ ageMs: 5001 })).toEqual({
    status: 'unknown',
    detail: healthReasons['supervisor-silent'](5),
  });
  expect(of({ ageMs: 60_000 }, 31_000).status).toBe('down');
  expect(of({ state: 'unhealthy' })).toEqual({ status: 'down', detail: healthReasons['bot-frozen'] });
  expect(of({ state: 'failed', reason: 'crash loop' })).toEqual({
    status: 'down',
    detail: healthReasons['bot-given-up']('crash loop'),
  });
  expect(of({ state: 'starting' }, 31_000).status).toBe('unknown');
});

// Guarantee: a bot whose requests wait for long, or whose messages fail, is degraded, and the reason is given.
test('the bot in trouble with Discord', () => {
  const connected = { state: 'connected', obstacle: null, detail: 'Signed in.' } as const;
  const quiet = { waiting: 0, oldestWaitMs: 0, failingChannels: 0, errors: [] };
  const health = (traffic: Partial<BotTraffic>) =>
    botHealthOf({
      report: { status: { ...connected, traffic: { ...quiet, ...traffic } }, ageMs: 0 },
      process: null,
      listeningMs: 0,
    });
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
  const dayMs = 86_400_000;
  expect(databaseHealthOf({ answered: true, latencyMs: 1 }, null, [], 3 * dayMs)).toEqual(ok);
  expect(databaseHealthOf({ answered: true, latencyMs: 1 }, null, [], 365 * dayMs)).toEqual({
    status: 'degraded',
    detail: healthReasons['clock-jumped'](365),
  });
});

// Guarantee: silent agents are named.
test('the agents', () => {
  const agent = { serverId: '1', serverName: 'Island', mode: null, lastSeenAt: null, stale: true };
  expect(agentsHealthOf([agent])).toEqual({ status: 'degraded', detail: 'No word from: Island.' });
  expect(agentsHealthOf([]).status).toBe('ok');
});

const noBeginnings = { earlier: () => null, note: () => undefined };

// Guarantee: a problem keeps its start time while it lasts, whatever it turns into, and starts over after it has ended.
test('since when something is not well', () => {
  let second = 0;
  const at = (s: number) => new Date(s * 1000).toISOString();
  const follow = followTroubles(() => new Date(second * 1000), noBeginnings);
  expect(follow(well)).toEqual({});
  second = 1;
  expect(follow({ ...well, bot: degraded })).toEqual({ bot: at(1) });
  second = 2;
  expect(follow({ ...well, bot: down, license: degraded })).toEqual({ bot: at(1), license: at(2) });
  second = 3;
  expect(follow(well)).toEqual({});
  second = 4;
  expect(follow({ ...well, bot: down })).toEqual({ bot: at(4) });
});

// Guarantee: the grace period and a near end of the license are said, and how long they leave.
test('the license', () => {
  const nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  const inHours = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString();
  const of = (status: Parameters<typeof licenseRemainingMs>[0]) => {
    const { status: state, detail } = licenseHealthOf({ ...status, detail: 'why' }, nowMs);
    return [state, detail, (licenseRemainingMs(status, nowMs) ?? 0) / 3_600_000];
  };
  const graceEndsAt = inHours(191);
  expect(of({ state: 'valid', graceEndsAt })).toEqual(['ok', null, 0]);
  expect(of({ state: 'valid', graceEndsAt, endsAt: null })).toEqual(['ok', null, 0]);
  expect(of({ state: 'valid', graceEndsAt, endsAt: inHours(49) })).toEqual(['ok', null, 49]);
  expect(of({ state: 'valid', graceEndsAt, endsAt: inHours(47.5) })).toEqual([
    'degraded',
    'The license ends in 47 h. Renew it in the customer area.',
    47.5,
  ]);
  expect(of({ state: 'grace', graceEndsAt, endsAt: null })).toEqual([
    'degraded',
    'The portal has not confirmed the license. Without it, Castellan refuses all requests in 7 days.',
    191,
  ]);
  expect(of({ state: 'grace', graceEndsAt: inHours(3), endsAt: inHours(500) })[2]).toBe(3);
  expect(of({ state: 'rejected', graceEndsAt: null })).toEqual(['down', 'why', 0]);
});
