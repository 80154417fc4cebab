import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { decideCrashNotices, type GameNotice, nothingSeen, watchGameCrashes } from './game-crashes.ts';

const startedAtMs = Date.parse('2026-01-01T12:00:00.000Z');
const minuteMs = 60_000;

let made = 0;
const event = (serverId: string, minutes: number, kind = 'server.crashed') => {
  made += 1;
  return {
    id: String(made),
    at: new Date(startedAtMs + minutes * minuteMs).toISOString(),
    kind,
    severity: 'warning' as const,
    serverId,
    payload: { name: serverId.toUpperCase(), crashes: 5, exitCode: 1, signal: null, lines: [] },
  };
};
type Event = ReturnType<typeof event>;

/** The notices shown over a series of readings, each at its minute; the events stay in the log. */
const along = (readings: readonly (readonly [minutes: number, ...news: Event[]])[]) => {
  let known = nothingSeen;
  const log: Event[] = [];
  return readings.map(([minutes, ...news]) => {
    log.unshift(...news);
    const nowMs = startedAtMs + minutes * minuteMs;
    const { notices, now } = decideCrashNotices(log, known, { startedAtMs, nowMs });
    known = now;
    return notices.map((notice) =>
      'serverId' in notice ? `${notice.serverId} ${notice.kind}` : notice.kind,
    );
  });
};

// Guarantee: a crash is reported once, and a server that stays down once more; a crash from before the start, or one that
// an agent reports long afterwards, is not.
test('once each', () => {
  expect(
    along([
      [0.1, event('old', -1), event('new', 0.05)],
      [0.2],
      [5, event('one', 5)],
      [5.2, event('one', 5.1), event('one', 5.2)],
      [6.5, event('one', 6.4), event('one', 6.5, 'server.crash-looping')],
      [7],
      [30, event('late', 10), event('late', 29)],
      [30.1],
    ]),
  ).toEqual([
    ['new game-crashed'],
    [],
    ['one game-crashed'],
    [],
    ['one game-stays-down'],
    [],
    ['late game-crashed'],
    [],
  ]);
});

// Guarantee: a machine that takes all its games down causes a few notices and one for the rest, however many there are.
test('a storm', () => {
  const all = Array.from({ length: 50 }, (_, index) => event(`s${index}`, 5));
  expect(along([[0], [5, ...all], [5.1, event('another', 5.1)], [5.2], [7, event('later', 7)]])).toEqual([
    [],
    [...['s0', 's1', 's2'].map((id) => `${id} game-crashed`), 'games-crashed'],
    ['games-crashed'],
    [],
    ['later game-crashed'],
  ]);
});

// Guarantee: an API that refuses, answers nonsense or is away is asked again later; it causes no notice and no loud log line.
test('an API in trouble', async () => {
  const answers: (() => [number, string])[] = [
    () => [403, '{"code":"SUSPENDED"}'],
    () => [200, 'no json'],
    () => [200, JSON.stringify({ rows: [], nextCursor: null, previousCursor: null, liveCursor: '' })],
    () => {
      const rows = [{ ...event('fjord', 0), at: new Date().toISOString() }];
      return [200, JSON.stringify({ rows, nextCursor: null, previousCursor: null, liveCursor: '' })];
    },
  ];
  let asked = '';
  const server = createServer((request, response) => {
    asked = request.url ?? '';
    const [status, body] = (answers.length > 1 ? answers.shift() : answers[0])?.() ?? [500, ''];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const told: GameNotice[] = [];
  let refusals = 2;
  {
    using _ = watchGameCrashes({
      api: {
        refusal: async () => (refusals-- > 0 ? 'api is starting' : null),
        fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
      },
      tell: (notice) => void told.push(notice),
      log: createLog({ component: 'test', level: 'silent' }),
      everyMs: 10,
    });
    await eventually(() =>
      expect(told).toContainEqual({ kind: 'game-crashed', serverId: 'fjord', name: 'FJORD' }),
    );
  }
  expect(asked).toContain('kind=server.crashed&kind=server.crash-looping');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
