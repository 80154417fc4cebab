import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#contracts/kernel/http.ts';
import { Secret } from '#runtime/secret.ts';
import { createApiClient } from './api-client.ts';

const thing = endpoint({
  method: 'POST',
  path: '/things/:id',
  summary: 'A thing',
  access: 'bot.report',
  params: z.object({ id: z.string() }),
  query: z.object({ of: z.string() }),
  body: z.object({ name: z.string() }),
  response: z.object({ told: z.string() }),
  problems: [],
});

let answer: { readonly status: number; readonly body: string } | 'none';
const server = createServer((request, response) => {
  if (answer === 'none') return;
  response.writeHead(answer.status).end(answer.body.replace('URL', request.url ?? ''));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const ask = (options = {}) => {
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const input = { params: { id: 'a/b' }, query: { of: 'c' }, body: { name: 'd' } };
  return createApiClient(apiUrl, new Secret('a-secret')).call(thing, input, options);
};

// Guarantee: an answer has the contract's shape, or is a fault that says what is wrong: refused, by its code; not understood; not in time.
test('answers', async () => {
  answer = { status: 200, body: '{"told":"URL"}' };
  expect(await ask()).toEqual({ told: '/things/a%2Fb?of=c' });
  const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'CONFLICT' };
  answer = { status: 409, body: JSON.stringify(problem) };
  await expect(ask()).rejects.toMatchObject({ name: 'ApiProblem', status: 409, code: 'CONFLICT' });
  answer = { status: 502, body: '<html>' };
  await expect(ask()).rejects.toMatchObject({ status: 502, code: undefined, document: null });
  answer = { status: 200, body: '{}' };
  await expect(ask()).rejects.toThrow('another version');
  answer = { status: 200, body: '{"told"' };
  await expect(ask()).rejects.toThrow('broke off');
  answer = 'none';
  await expect(ask({ deadlineMs: 10 })).rejects.toThrow('does not answer');
  await expect(ask({ signal: AbortSignal.abort() })).rejects.toThrow('does not answer');
});
