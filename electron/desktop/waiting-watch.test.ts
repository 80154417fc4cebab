import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { createLog } from '#runtime/log.ts';
import { watchWaiting } from './waiting-watch.ts';

let answers: 'two' | 'none' | 'cut' = 'two';
let server: Server;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = createServer((request, response) => {
    if (answers === 'cut') {
      request.socket.destroy();
      return;
    }
    const row = { kind: 'deliveries', count: 2, since: null, tone: 'warn', to: '/desk' };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ rows: answers === 'two' ? [row] : [], isWhole: true }));
  }).listen(port, '127.0.0.1');
});
afterAll(() => void server.close());

// Guarantee: what waits is forgotten when it is done or the API is stopped, and not because one answer is late or lost.
test('an answer that does not come', async () => {
  let refusal: string | null = null;
  let asked = 0;
  const told: (number | null)[] = [];
  using _watch = watchWaiting({
    api: {
      refusal: async () => refusal,
      fetch(path) {
        asked += 1;
        return fetch(origin + path);
      },
    },
    tell: (count) => void told.push(count),
    log: createLog({ component: 'test', level: 'silent' }),
    intervalMs: 5,
  });
  await eventually(() => expect(told).toEqual([2]));
  answers = 'cut';
  const before = asked;
  await eventually(() => expect(asked).toBeGreaterThan(before + 2));
  expect(told).toEqual([2]);
  answers = 'none';
  await eventually(() => expect(told).toEqual([2, 0]));
  answers = 'two';
  await eventually(() => expect(told).toEqual([2, 0, 2]));
  refusal = 'api is stopped';
  await eventually(() => expect(told).toEqual([2, 0, 2, null]));
});

// Guarantee: an answer that was under way when a newer one came is not told after it.
test('answers that come in another order', async () => {
  const told: (number | null)[] = [];
  const late = Promise.withResolvers<void>();
  answers = 'none';
  let asked = 0;
  using _watch = watchWaiting({
    api: {
      refusal: async () => null,
      async fetch(path) {
        asked += 1;
        const isFirst = asked === 1;
        const response = await fetch(origin + path);
        answers = 'two';
        if (isFirst) await late.promise;
        return response;
      },
    },
    tell: (count) => void told.push(count),
    log: createLog({ component: 'test', level: 'silent' }),
    intervalMs: 5,
  });
  await eventually(() => expect(answers).toBe('two'));
  setTimeout(late.resolve, 50);
  await eventually(() => expect(told.at(-1)).toBe(2));
  expect(told).toEqual([0, 2]);
});
