import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemDocument } from '#contracts/kernel/problems.ts';
import { jwks, licensesHttp } from '#contracts/license/licenses.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { portalHealth, portalHttp } from '#contracts/portal/portal.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { newHwid, newMasterKey, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { Secret } from '#runtime/secret.ts';

let database: TestDatabase;
let portal: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const activation = {
  licenseKey: 'CSTL-0000-0000-0000-0000',
  hwid: newHwid(),
  instanceId: '7f0c1c6e-6a43-4b8e-9a57-3d8d2ac2b9d1',
  version: '1.2.3',
};
const validation = { tenantId: `c${'0'.repeat(24)}`, token: 'a.b.c', hwid: newHwid() };
const nest = (inner: string) => '['.repeat(8000) + inner + ']'.repeat(8000);
const json = 'application/json';

const bodies: readonly [string, unknown, number, Readonly<Record<string, string>>?][] = [
  ['nothing', '', 400],
  ['half of an object', '{"licenseKey":', 400],
  ['null', 'null', 400],
  ['a list', '[]', 400],
  ['a number', '42', 400],
  ['an empty object', '{}', 400],
  ['deep nesting', nest(''), 400],
  ['a NUL deep inside', nest('"\\u0000"'), 400],
  ['__proto__', '{"__proto__":{"licenseKey":1}}', 400],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
  ['too much', JSON.stringify({ ...activation, padding: 'x'.repeat(20_000) }), 413],
  ['plain text', JSON.stringify(activation), 415, { 'Content-Type': 'text/plain' }],
  ['a form', 'licenseKey=1', 415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['another charset', JSON.stringify(activation), 415, { 'Content-Type': `${json}; charset=latin1` }],
  ['compressed', gzipSync(JSON.stringify(activation)), 415, { 'Content-Encoding': 'gzip' }],
];

const expectProblem = (answer: { status: number; headers: Headers; body: unknown }, status: number) => {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  expect(problemDocument.parse(answer.body).status).toBe(status);
};

// Guarantee: a body that does not have the documented form is answered 400, 413 or 415 with a problem document.
test.each(bodies)('%s is refused', async (_what, body, status, headers) => {
  for (const { path } of [licensesHttp.activate, licensesHttp.validate])
    expectProblem(await portal.post(path, body, headers), status);
});

const wrong: readonly [string, object][] = [
  ['an unknown field', { extra: 1 }],
  ['a missing hwid', { hwid: undefined }],
  ['a number for a text', { hwid: 1 }],
  ['an object for a text', { hwid: { toString: 'x' } }],
  ['a NUL byte', { hwid: 'sha256:\0' }],
  ['a short hwid', { hwid: 'sha256:abc' }],
  ['a huge hwid', { hwid: `sha256:${'a'.repeat(9000)}` }],
];

// Guarantee: the 400 of both endpoints names the fields and has no code, as documented.
test.each(wrong)('%s is a 400 without code', async (_what, change) => {
  const requests = [
    [licensesHttp.activate.path, activation],
    [licensesHttp.validate.path, validation],
  ] as const;
  for (const [path, right] of requests) {
    const answer = await portal.post(path, { ...right, ...change });
    expectProblem(answer, 400);
    expect(answer.body).not.toHaveProperty('code');
  }
});

test.each([
  { licenseKey: 'CSTL-0000-0000-0000' },
  { licenseKey: 'cstl-0000-0000-0000-0000' },
  { instanceId: 'none' },
  { version: 'latest' },
  { version: `1.0.0-${'x'.repeat(100)}` },
])('activate refuses the field %o', async (change) => {
  expectProblem(await portal.post(licensesHttp.activate.path, { ...activation, ...change }), 400);
});

test.each([{ tenantId: 'x' }, { token: 'x' }, { token: `a.b.${'c'.repeat(9000)}` }])(
  'validate refuses the field %o',
  async (change) => {
    expectProblem(await portal.post(licensesHttp.validate.path, { ...validation, ...change }), 400);
  },
);

// Guarantee: unknown paths, wrong methods and malformed addresses get problem documents as well.
test('other addresses', async () => {
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(portal.url + path, { method });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  expectProblem(await ask('/nothing/here'), 404);
  expectProblem(await ask('/%E0%A4%A'), 404);
  const wrongMethod = await ask(licensesHttp.activate.path);
  expectProblem(wrongMethod, 405);
  expect(wrongMethod.headers.get('Allow')).toBe('POST');
});

// Guarantee: a request that is not HTTP is answered and cut off, and the portal keeps running.
test('garbage on the socket', async () => {
  const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  socket.end('\x16\x03\x01 this is no HTTP\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await fetch(portal.url + portalHttp.ready.path)).status).toBe(200);
});

// Guarantee: the published keys are the ones that tokens are signed with.
test('JWKS', async () => {
  const response = await fetch(portal.url + licensesHttp.jwks.path);
  const { keys } = jwks.parse(await response.json());
  const { kid, publicKey } = portal.context.keyRing.active;
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid, alg: 'EdDSA', use: 'sig' }]);
});

// Guarantee: a portal that went back to the previous version serves on the newer schema, and its health says so.
test('an older portal on a newer schema', async () => {
  await using database = await portalDatabase();
  const same = { databaseUrl: database.url, masterKey: newMasterKey() };
  const health = async (url: string) =>
    portalHealth.parse(await (await fetch(url + portalHttp.health.path)).json());
  {
    await using newer = await startTestPortal(same);
    expect((await health(newer.url)).database).toMatchObject({ status: 'ok', detail: null });
    await newer.context.pool.query(
      `insert into schema_migrations (name, timestamp) values ('9999-later', now()::text)`,
    );
  }
  await using older = await startTestPortal(same);
  expect(await health(older.url)).toMatchObject({
    status: 'ok',
    database: { status: 'ok', detail: healthReasons['database-newer']('9999-later') },
  });
  expect((await fetch(older.url + portalHttp.ready.path)).status).toBe(200);
  const license = await older.issue();
  expect((await older.activate(license.licenseKey, newHwid())).status).toBe(200);
});

// Guarantee: while the database is unreachable, clients are told to retry, and no one has to restart the portal once it is back.
test('the database goes and comes back', async () => {
  await using folder = await temporaryFolder('portal-away');
  const cluster = await openCluster({ folder: folder.path, port: await freePort() });
  await cluster.start();
  await using stop = new AsyncDisposableStack();
  stop.defer(() => cluster.stop());
  const databaseUrl = cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres');
  await using own = await startTestPortal({ databaseUrl });
  const license = await own.issue();
  const hwid = newHwid();
  const { body } = await own.activate(license.licenseKey, hwid);
  const health = async () => portalHealth.parse(await (await fetch(own.url + portalHttp.health.path)).json());
  const ready = async () => {
    const response = await fetch(own.url + portalHttp.ready.path);
    await response.body?.cancel();
    return response.status;
  };
  expect(await health()).toMatchObject({ status: 'ok', database: { status: 'ok' } });

  await cluster.stop();
  for (const answer of [
    await own.validate(license, body.token, hwid),
    await own.activate(license.licenseKey, hwid),
  ]) {
    expectProblem(answer, 503);
    expect(answer.body.code).toBe('DATABASE_UNAVAILABLE');
  }
  expect(await health()).toMatchObject({ status: 'degraded', database: { status: 'away', latencyMs: null } });
  expect(await ready()).toBe(503);

  await cluster.start();
  await eventually(async () => {
    expect(await ready()).toBe(200);
    expect((await own.validate(license, body.token, hwid)).status).toBe(200);
    expect((await own.activate(license.licenseKey, hwid)).status).toBe(200);
  });
});

/** A connection to Postgres that can swallow everything, like a network that lost its route: no answer, no end. */
const blackHole = async (targetPort: number) => {
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((near) => {
    sockets.add(near.on('error', () => near.destroy()));
    if (!open) return;
    const far = connect(targetPort, '127.0.0.1');
    sockets.add(far.on('error', () => far.destroy()));
    near.on('data', (chunk) => open && far.write(chunk)).on('close', () => far.destroy());
    far.on('data', (chunk) => open && near.write(chunk)).on('close', () => open && near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => {
      open = false;
    },
    pass: () => {
      open = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};

// Guarantee: a database that silently stops answering delays no one for long, probes do not use up the connections, and
// no one has to restart the portal once it answers again.
test('the database falls silent and comes back', async () => {
  await using silent = await portalDatabase();
  const url = new URL(silent.url.reveal());
  await using way = await blackHole(Number(url.port));
  url.port = String(way.port);
  await using own = await startTestPortal({ databaseUrl: new Secret(url.toString()) });
  const license = await own.issue();
  const hwid = newHwid();
  const { body } = await own.activate(license.licenseKey, hwid);
  expect((await own.validate(license, body.token, hwid)).status).toBe(200);
  const ready = async () => {
    const response = await fetch(own.url + portalHttp.ready.path);
    await response.body?.cancel();
    return response.status;
  };

  way.swallow();
  const probes = Array.from({ length: 12 }, ready);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 ? own.validate(license, body.token, hwid) : own.activate(license.licenseKey, hwid),
    ),
  );
  for (const answer of answers) {
    expectProblem(answer, 503);
    expect(answer.body.code).toBe('DATABASE_UNAVAILABLE');
  }
  expect(new Set(await Promise.all(probes))).toEqual(new Set([503]));

  way.pass();
  await eventually(async () => {
    expect(await ready()).toBe(200);
    expect((await own.validate(license, body.token, hwid)).status).toBe(200);
    expect((await own.activate(license.licenseKey, hwid)).status).toBe(200);
  }, 20_000);
});

// Guarantee: a statement that takes too long is a 503 as well, and works once the database is fast enough.
test('a lock that somebody keeps', async () => {
  const license = await portal.issue();
  const hwid = newHwid();
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select from licenses where id = $1 for update', [license.id]);
    const answer = await portal.activate(license.licenseKey, hwid);
    expectProblem(answer, 503);
    expect(answer.body.code).toBe('DATABASE_UNAVAILABLE');
  } finally {
    await client.end();
  }
  expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
});

// Guarantee: requests that Node would answer itself, bare or not at all, are answered like all others.
test.each([
  ['no HTTP', 'hello there\r\n\r\n', 400],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 404],
  ['a large header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(140_000)}\r\n\r\n`, 431],
  ['an odd expectation', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n', 404],
])('%s', async (_what, bytes, status) => {
  const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain('application/problem+json');
  expect(problemDocument.parse(JSON.parse(body))).toMatchObject({ status });
});
