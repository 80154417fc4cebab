import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#contracts/kernel/http.ts';
import { createLog } from '../log.ts';
import { Problem } from '../problem.ts';
import { type Listener, listen } from './listen.ts';
import { answerProblems, nameRequests } from './problems.ts';
import { createApp, createRoutes, refuseUnknown, trustsPeer } from './routes.ts';

const echo = endpoint({
  method: 'POST',
  path: '/echo/:id',
  summary: 'Says it back',
  access: 'public',
  params: z.object({ id: z.string().max(5) }),
  body: z.strictObject({ name: z.string().max(20), nested: z.unknown().optional() }),
  response: z.object({ id: z.string(), name: z.string() }),
  problems: [],
});
const broken = endpoint({
  method: 'GET',
  path: '/broken',
  summary: 'Fails',
  access: 'public',
  response: z.object({}),
  problems: [],
});
const codeless = endpoint({ ...echo, path: '/codeless/:id', codeless: [400] });

let listener: Listener;

beforeAll(async () => {
  const app = createApp(false);
  app.use(nameRequests);
  const routes = createRoutes(app, { authorize: () => null, bodyLimit: 1000 });
  routes.on(echo, ({ params, body }) => ({ id: params.id, name: body.name }));
  routes.on(codeless, ({ params, body }) => ({ id: params.id, name: body.name }));
  routes.on(broken, () => {
    throw new Error('the password is hunter2');
  });
  refuseUnknown(app, routes);
  app.use(answerProblems(createLog({ component: 'test', level: 'silent' })));
  listener = await listen({ handler: app, host: '127.0.0.1', port: 0 });
});

afterAll(() => listener[Symbol.asyncDispose]());

const send = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${listener.port}${path}`, init);
const post = (
  body: string | null,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) =>
  send('/echo/1', {
    method: 'POST',
    // As bytes: for a string, fetch adds its own content type.
    body: body === null ? null : new TextEncoder().encode(body),
    headers,
  });

test('a good request reaches its handler, checked', async () => {
  const response = await post(JSON.stringify({ name: 'Ä' }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: '1', name: 'Ä' });
});

// Guarantee: what a proxy passes on with a path of its own is answered with the cure.
test('a page below a path', async () => {
  for (const path of ['/castellan/', '/castellan/index.html'])
    expect(await (await send(path)).json()).toMatchObject({
      code: 'NOT_FOUND',
      detail: expect.stringContaining('host name of its own'),
    });
  expect(await (await send('/castellan/assets/x.js')).json()).not.toHaveProperty('detail');
});

const json = 'application/json';
const deep = '{"name":"x","nested":'.padEnd(500, '[');
const badRequests: Record<string, [string | null, string | null, number]> = {
  'no body': [null, json, 400],
  'an empty body': ['', json, 400],
  'broken JSON': ['{"name":', json, 400],
  'broken and deeply nested JSON': [deep, json, 400],
  'a bare value': ['"x"', json, 400],
  'an array': ['[]', json, 400],
  'a wrong type': ['{"name":1}', json, 400],
  'an unknown field': ['{"name":"x","admin":true}', json, 400],
  'a prototype as a field': ['{"name":"x","__proto__":{"a":1}}', json, 400],
  'a string too long': [JSON.stringify({ name: 'x'.repeat(21) }), json, 400],
  'a NUL character': ['{"name":"a\\u0000b"}', json, 400],
  'a NUL character deep inside': ['{"name":"a","nested":{"b":["\\u0000"]}}', json, 400],
  'half of a character': ['{"name":"a\\ud800b"}', json, 400],
  'half of a character in the name of a field': ['{"name":"a","nested":{"\\udc00":1}}', json, 400],
  'a raw NUL byte': ['{"name":"a\0b"}', json, 400],
  'too many bytes': [JSON.stringify({ name: 'x'.repeat(2000) }), json, 413],
  'no content type': ['{"name":"x"}', null, 415],
  'another content type': ['{"name":"x"}', 'text/plain', 415],
  'an unknown charset': ['{"name":"x"}', 'application/json; charset=klingon', 415],
};

// Guarantee: any bad request is answered with a 400, 413 or 415 that says what is wrong; never with a 500, never with silence.
test.each(Object.entries(badRequests))(
  '%s is refused with a problem document',
  async (_, [body, type, status]) => {
    const response = await post(body, type === null ? {} : { 'Content-Type': type });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({ status, instance: response.headers.get('x-request-id') });
    expect(problem.code).toMatch(/^[A-Z_]+$/);
  },
);

test('a compressed body is refused', async () => {
  const response = await post('xxxx', { 'Content-Type': json, 'Content-Encoding': 'gzip' });
  expect(response.status).toBe(415);
});

test('broken percent signs, unknown paths and wrong methods are told apart', async () => {
  expect((await send('/echo/%E0%A4%A', { method: 'POST' })).status).toBe(400);
  expect((await send('/nowhere')).status).toBe(404);
  const wrongMethod = await send('/echo/1');
  expect(wrongMethod.status).toBe(405);
  expect(wrongMethod.headers.get('allow')).toBe('POST');
});

// Guarantee: an unexpected failure tells the caller nothing but the request id.
test('an internal failure does not leak', async () => {
  const response = await send('/broken');
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text).code).toBe('INTERNAL');
  expect(text).not.toContain('hunter2');
});

test('where the interface gives no code, there is none', async () => {
  const response = await send('/codeless/1', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': json },
  });
  expect(await response.json()).not.toHaveProperty('code');
});

// Guarantee: a request that announces more than it sends does not keep the server from closing.
test('closing does not wait for a request that never ends', async () => {
  const app = createApp(false);
  app.use(() => {
    throw new Problem('NOT_FOUND');
  });
  const own = await listen({ handler: app, host: '127.0.0.1', port: 0, drainMs: 50 });
  const hanging = httpRequest({
    port: own.port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'Content-Length': 99 },
  });
  hanging.on('error', () => undefined);
  hanging.write('x');
  await new Promise((resolve) => own.server.once('connection', resolve));
  await own[Symbol.asyncDispose]();
  expect(own.server.listening).toBe(false);
});

test('a taken port is said in a sentence', async () => {
  await expect(listen({ handler: () => undefined, host: '127.0.0.1', port: listener.port })).rejects.toThrow(
    `Port ${listener.port} on 127.0.0.1 is taken`,
  );
});

// Guarantee: connections are exempt from counting only from proxies that are named or, where TRUST_PROXY is a number of hops, from
// the local network: TRUST_PROXY=1 makes no stranger a proxy.
test.each([
  [false, []],
  [0, []],
  [1, ['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '::ffff:192.168.0.7', 'fd00::1', 'fe80::1']],
  [
    ['203.0.113.7', '2001:db8::/32'],
    ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1'],
  ],
] as const)('whose connections are not counted: TRUST_PROXY=%j', (trustProxy, uncounted) => {
  const peers = [
    ...['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '::ffff:192.168.0.7', 'fd00::1', 'fe80::1'],
    ...['172.32.0.1', '8.8.8.8', '203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1', '2606:4700::1'],
  ];
  expect(peers.filter(trustsPeer(createApp(trustProxy)))).toEqual(uncounted);
});
