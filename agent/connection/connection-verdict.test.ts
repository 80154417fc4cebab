import { expect, test } from 'vitest';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { agentRefusals } from '#contracts/servers/agent-connection.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { type ConnectionEnd, judgeConnection } from './connection-verdict.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

const judge = (end: ConnectionEnd, wasAcknowledged = false) => judgeConnection({ end, wasAcknowledged });
const http = (status: number, code: string | null = null, retryAfterSeconds: number | null = null) =>
  judge({ cause: 'http', status, code, retryAfterSeconds });

// Guarantee: only failures that a device on the network path could cause, before the first acknowledgement, count towards polling.
test('failures', () => {
  const early: ConnectionEnd[] = [
    { cause: 'unreachable', detail: 'ECONNREFUSED' },
    { cause: 'misunderstood', detail: 'x' },
    { cause: 'http', status: 502, code: null, retryAfterSeconds: null },
    { cause: 'http', status: 403, code: null, retryAfterSeconds: null },
    { cause: 'http', status: 403, code: 'FORBIDDEN', retryAfterSeconds: null },
    { cause: 'closed', closeCode: 1006 },
    { cause: 'closed', closeCode: 1007 },
    { cause: 'closed', closeCode: 1009 },
    { cause: 'closed', closeCode: agentCloseCodes.timedOut },
    { cause: 'silent' },
  ];
  for (const end of early) {
    expect(judge(end).countsAsFailure, JSON.stringify(end)).toBe(true);
    expect(judge(end, true).countsAsFailure, JSON.stringify(end)).toBe(false);
  }
});

// Guarantee: a license refusal, a refused login, and an API that closes to restart never lead to polling.
test('no failures', () => {
  for (const code of licenseFaults)
    expect(http(403, code)).toMatchObject({
      countsAsFailure: false,
      slowMs: { least: 30_000, most: 90_000 },
    });
  for (const code of agentRefusals) {
    expect(http(401, code).countsAsFailure).toBe(false);
    expect(judge({ cause: 'refused', code, retryAfterSeconds: 7 }).countsAsFailure).toBe(false);
    expect(http(401, code).message).toContain(code);
  }
  for (const closeCode of [
    agentCloseCodes.goingAway,
    agentCloseCodes.licenseRejected,
    agentCloseCodes.superseded,
  ])
    expect(judge({ cause: 'closed', closeCode }).countsAsFailure).toBe(false);
  expect(judge({ cause: 'unproven' })).toMatchObject({ countsAsFailure: false, slowMs: { least: 60_000 } });
});

// Guarantee: the API's requested wait is honoured, up to an hour; two agents that supersede each other wait 5 minutes.
test('waits', () => {
  expect(http(429, 'AGENT_THROTTLED', 17).slowMs?.least).toBe(17_000);
  expect(http(503, null, 999_999).slowMs?.least).toBe(3_600_000);
  expect(http(503).slowMs).toBeNull();
  const superseded = judge({ cause: 'refused', code: 'AGENT_SUPERSEDED', retryAfterSeconds: 1 });
  expect(superseded.slowMs?.least).toBe(300_000);
  expect(http(401, 'AGENT_NONCE_INVALID').slowMs).toBeNull();
});

// Guarantee: a thousand agents of a restarted API come back spread over some seconds, all within 30; later tries wait longer, and
// 20 s at most.
test('reconnecting', () => {
  const first = Array.from({ length: 1000 }, (_, index) => reconnectDelayMs(1, index / 1000));
  const perSecond = Array.from(
    { length: 5 },
    (_, second) => first.filter((ms) => Math.floor(ms / 1000) === second).length,
  );
  expect(Math.max(...perSecond)).toBeLessThan(250);
  expect(Math.max(...first)).toBeLessThan(5000);
  expect(Math.min(...first)).toBe(500);
  expect(reconnectDelayMs(2, 0.999)).toBeGreaterThan(9000);
  for (const tries of [3, 10, 10_000]) expect(reconnectDelayMs(tries, 0.999999)).toBeLessThanOrEqual(20_000);
});
