import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#contracts/kernel/http.ts';
import { ApiProblem } from './api-problem.ts';
import { NotSaved, onUnsent, sendChange } from './send-change.ts';

const order = endpoint({
  method: 'POST',
  path: '/api/orders',
  summary: 'Order',
  access: 'orders.write',
  idempotent: true,
  body: z.object({ name: z.string() }),
  response: z.object({ id: z.string() }),
  problems: [],
});
const { idempotent: _, ...plain } = order;
const versioned = { ...plain, body: z.object({ version: z.int() }) };
const seen = { ...plain, body: z.object({ seen: z.string() }) };

const timing = { pauseMs: 1, mostMs: 60_000 };
const answer = (status: number, json: object) => () =>
  Promise.resolve(new Response(JSON.stringify(json), { status }));
const lost = () => Promise.reject(new TypeError('fetch failed'));
const problem = (status: number, code: string) => answer(status, { type: 'x', title: code, status, code });
const done = answer(200, { id: 'one' });

let sent: (string | null)[];
let told: boolean[];
let stop: () => void;
const answers = (...replies: readonly (() => Promise<Response>)[]) => {
  const next = [...replies];
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('Idempotency-Key'));
    return (next.length > 1 ? next.shift() : next[0])?.();
  });
};
beforeEach(() => {
  sent = [];
  told = [];
  stop = onUnsent((isAny) => told.push(isAny));
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

// Guarantee: while the API restarts, a change with a key waits and is sent again with the same key, and the panel is told so.
test('a change with a key', async () => {
  answers(lost, problem(503, 'DATABASE_UNAVAILABLE'), done);
  expect(await sendChange(order, { body: { name: 'a' } }, {}, timing)).toEqual({ id: 'one' });
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]).not.toBeNull();
  expect(told).toEqual([true, false]);
});

// Guarantee: a change without key or version whose answer was lost is not sent a second time, and is said not to be saved; one that
// was surely not sent is.
test('a change that cannot be repeated', async () => {
  answers(lost, done);
  await expect(sendChange(plain, { body: { name: 'a' } }, {}, timing)).rejects.toThrow(NotSaved);
  expect(sent).toEqual([null]);
  answers(problem(503, 'API_UNAVAILABLE'), done);
  expect(await sendChange(plain, { body: { name: 'a' } }, {}, timing)).toEqual({ id: 'one' });
  expect(told).toEqual([true, false]);
});

// Guarantee: a change of a version, or of what was seen, is repeated; that the version is gone then does not accuse another person.
test('a change of a version', async () => {
  answers(lost, problem(409, 'CONFLICT'));
  await expect(sendChange(versioned, { body: { version: 1 } }, {}, timing)).rejects.toThrow(NotSaved);
  answers(lost, done);
  expect(await sendChange(seen, { body: { seen: 'a' } }, {}, timing)).toEqual({ id: 'one' });
  answers(problem(409, 'CONFLICT'));
  await expect(sendChange(versioned, { body: { version: 1 } }, {}, timing)).rejects.toThrow(ApiProblem);
});

// Guarantee: the waiting ends, and a refusal ends it at once.
test('an API that stays away, and one that refuses', async () => {
  answers(lost);
  await expect(sendChange(order, { body: { name: 'a' } }, {}, { pauseMs: 1, mostMs: 0 })).rejects.toThrow(
    NotSaved,
  );
  answers(lost, problem(403, 'FORBIDDEN'));
  await expect(sendChange(order, { body: { name: 'a' } }, {}, timing)).rejects.toThrow('FORBIDDEN');
  expect(told).toEqual([true, false]);
});
