import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { licenseStateHttp } from '#contracts/license/license-state.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { apiDatabase } from '../testing/api-database.ts';
import { type Answer, ask } from '../testing/ask.ts';
import { call, person } from '../testing/call.ts';
import {
  startTestApi,
  type TestApi,
  type TestApiOptions,
  testDesktopCredential,
} from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';

const documented = [...Object.values(healthHttp), licenseStateHttp.status].map(({ path }) => path);

let owned: AsyncDisposableStack;
let direct: TestApi;
let trusting: TestApi;
let secure: TestApi;
let databaseUrl: TestApiOptions['databaseUrl'];
let token: string;

const start = async (options: Omit<TestApiOptions, 'databaseUrl'> = {}): Promise<TestApi> => {
  const api = owned.use(await startTestApi({ databaseUrl, workers: [], ...options }));
  await whenInUse(api);
  return api;
};

beforeAll(async () => {
  owned = new AsyncDisposableStack();
  databaseUrl = owned.use(await apiDatabase()).url;
  const folder = owned.use(await temporaryFolder('edge'));
  const tls = { certFile: join(folder.path, 'cert.pem'), keyFile: join(folder.path, 'key.pem') };
  const { cert, key } = selfSigned();
  await writeFile(tls.certFile, cert);
  await writeFile(tls.keyFile, key);
  direct = await start();
  trusting = await start({ trustProxy: ['loopback'] });
  secure = await start({ tls, apiHosts: ['0.0.0.0'] });
  ({ token } = await person(direct.port, { role: 'owner' }));
});
afterAll(() => owned.disposeAsync());

interface Proxy extends AsyncDisposable {
  readonly port: number;
}

/** A reverse proxy on this machine that forwards like nginx or Caddy: every request reaches the API from the loopback. */
const startProxy = async (upstream: number, client: string): Promise<Proxy> => {
  const server = createServer((incoming, response) => {
    const { connection: _, ...headers } = incoming.headers;
    const forwarded: IncomingHttpHeaders = {
      ...headers,
      'x-forwarded-for': [headers['x-forwarded-for'], client].filter(Boolean).join(', '),
      'x-forwarded-proto': 'https',
    };
    const { method, url } = incoming;
    const outgoing = plainRequest({
      host: '127.0.0.1',
      port: upstream,
      method,
      path: url,
      headers: forwarded,
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });

// Guarantee: only this machine gets the documented readings without a session; a proxy on it, or a page that was led here by
// its own host name, needs one like everyone else, whatever TRUST_PROXY says.
describe.each(documented)('%s', (path) => {
  test('asked on this machine', async () => {
    for (const Host of ['localhost', `127.0.0.1:${direct.port}`, '[::1]'])
      expect((await ask(direct.port, path, { headers: { Host } })).status, Host).toBe(200);
  });

  test('asked through a proxy', async () => {
    for (const api of [direct, trusting]) {
      await using proxy = await startProxy(api.port, '203.0.113.7');
      for (const forged of [{}, { 'X-Forwarded-For': '127.0.0.1' }, { Host: 'localhost' }]) {
        expect((await ask(proxy.port, path, { headers: forged })).json).toMatchObject({
          status: 401,
          code: 'UNAUTHENTICATED',
        });
        expect((await ask(proxy.port, path, { headers: { ...forged, ...bearer() } })).status).toBe(200);
      }
    }
  });

  test('asked under a rebound name', async () => {
    for (const Host of [
      'evil.example',
      `evil.example:${direct.port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const headers = { Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' };
      const answer = await ask(direct.port, path, { headers });
      expect(answer.json, Host).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect((await ask(direct.port, path, { headers: { ...headers, ...bearer() } })).status).toBe(200);
    }
  });
});

const auditedAddress = async (api: TestApi): Promise<string | null> => {
  const row = await api.context.database.db
    .selectFrom('audit_logs')
    .select('address')
    .where('action', '=', 'settings.change')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.address ?? null;
};

const sectionPath = settingsHttp.change.path.replace(':section', 'general');
const version = async (): Promise<number> => {
  const { json } = await ask(direct.port, settingsHttp.list.path, { headers: bearer() });
  return (
    (json.sections as { name: string; version: number }[]).find(({ name }) => name === 'general')?.version ??
    -1
  );
};
let renamed = 0;
/** Changes the name of the community, to a new one each time. */
const change = async (port: number, headers: Record<string, string>): Promise<Answer> => {
  renamed += 1;
  const body = JSON.stringify({ version: await version(), values: { communityName: `Name ${renamed}` } });
  return ask(port, sectionPath, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
};

// Guarantee: a client's address is what the nearest trusted proxy says, never what the client itself says.
test('the address in the audit log', async () => {
  await using trusted = await startProxy(trusting.port, '203.0.113.7');
  await using untrusted = await startProxy(direct.port, '203.0.113.7');
  const forged = { ...bearer(), 'X-Forwarded-For': '198.51.100.1' };
  expect((await change(trusted.port, forged)).status).toBe(200);
  expect(await auditedAddress(trusting)).toBe('203.0.113.7');
  expect((await change(untrusted.port, forged)).status).toBe(200);
  expect(await auditedAddress(direct)).toBe('127.0.0.1');
});

const browser = async (port: number, headers: Record<string, string>): Promise<Answer> => {
  renamed += 1;
  const [name, password] = [`browser ${renamed}`, 'a password of a browser'];
  await call(direct.port, adminsHttp.create, {
    as: testDesktopCredential,
    body: { name, password, role: 'owner' },
  });
  return call(port, sessionsHttp.signIn, { body: { name, password }, headers });
};
const cookiesOf = ({ headers }: Answer): readonly string[] => headers['set-cookie'] ?? [];

// Guarantee: a cookie is bound to TLS exactly when TLS was used, by us or by a trusted proxy.
test('cookies and TLS', async () => {
  await using trusted = await startProxy(trusting.port, '203.0.113.7');
  await using untrusted = await startProxy(direct.port, '203.0.113.7');
  const [overTrusted, overUntrusted] = [
    await browser(trusted.port, { Origin: `https://127.0.0.1:${trusted.port}` }),
    await browser(untrusted.port, { Origin: `http://127.0.0.1:${untrusted.port}` }),
  ];
  expect(cookiesOf(overTrusted).length).toBeGreaterThan(0);
  for (const cookie of cookiesOf(overTrusted)) expect(cookie).toMatch(/^__Host-.*; Secure/);
  expect(cookiesOf(overUntrusted).length).toBeGreaterThan(0);
  for (const cookie of cookiesOf(overUntrusted)) expect(cookie).not.toMatch(/__Host-|; Secure/);
  for (const cookie of [...cookiesOf(overTrusted), ...cookiesOf(overUntrusted)])
    expect(cookie).toMatch(/; HttpOnly.*; SameSite=Strict/);
});

// Guarantee: a page of another origin changes nothing with a browser's cookie, in any way open to a page.
test('a hostile origin', async () => {
  const host = `127.0.0.1:${direct.port}`;
  const signedIn = await browser(direct.port, { Origin: `http://${host}`, Host: host });
  const Cookie = cookiesOf(signedIn)
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  const own = { Cookie, Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
  expect((await change(direct.port, own)).status).toBe(200);
  const before = await version();
  const hostile: Record<string, string>[] = [
    { ...own, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Cookie, Host: host, Origin: 'https://evil.example' },
    { Cookie, Host: host, Origin: 'null' },
    { Cookie, Host: host, Origin: `http://127.0.0.1:${direct.port + 1}` },
    { Cookie, Host: host, 'Sec-Fetch-Site': 'same-site' },
    { Cookie, Host: host, 'Sec-Fetch-Site': 'none' },
    { Cookie, Host: host, Referer: `http://${host}/` },
    { Cookie, Host: host },
  ];
  for (const headers of hostile)
    expect((await change(direct.port, headers)).json, JSON.stringify(headers)).toMatchObject({
      code: 'CROSS_ORIGIN',
    });
  // A form can send this even from the right origin.
  expect((await change(direct.port, { ...own, 'Content-Type': 'text/plain' })).status).toBe(403);
  expect(await version()).toBe(before);
  // No one but us knows a bearer token, so its requests may come from any origin.
  expect((await change(direct.port, { ...bearer(), Origin: 'https://evil.example' })).status).toBe(200);
});

// Guarantee: no response, least of all to a preflight, lets a page of another origin read it.
test('no Access-Control headers', async () => {
  const headers = {
    Origin: 'https://evil.example',
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization',
  };
  for (const method of ['OPTIONS', 'GET', 'PATCH', 'POST']) {
    for (const path of [sectionPath, settingsHttp.list.path, '/', '/api/health', '/nowhere']) {
      const answer = await ask(direct.port, path, { method, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      if (method === 'OPTIONS') expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  }
});

const askSecurely = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; json: unknown }>((resolve, reject) => {
    const target = {
      host: '127.0.0.1',
      port: secure.port,
      path,
      headers,
      rejectUnauthorized: false,
      agent: false,
    };
    const asked = secureRequest(target, async (answer) => {
      const json: unknown = JSON.parse((await buffer(answer)).toString());
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, json });
    });
    asked.on('error', reject).end();
  });

// Guarantee: with a certificate configured the API speaks TLS on its port, tells browsers to insist on it, and stays
// reachable from here for the components of the stack.
test('TLS', async () => {
  const answer = await askSecurely(settingsHttp.list.path, bearer());
  expect(answer.status).toBe(200);
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  const health = await ask(secure.port, '/api/health');
  expect(health.json).toMatchObject({ components: { api: { status: 'ok', detail: null } } });
});

// Guarantee: an API exposed to the network without TLS says so in its log and its health; one that is not exposed is silent.
test('open without TLS', async () => {
  const open = await start({ apiHosts: ['0.0.0.0'] });
  const health = async (api: TestApi) => (await ask(api.port, '/api/health')).json;
  expect(await health(open)).toMatchObject({
    components: {
      api: { detail: expect.stringMatching(/API_HOST 0\.0\.0\.0 is open without TLS.*TLS_CERT_FILE/) },
    },
  });
  expect(await health(direct)).toMatchObject({ components: { api: { detail: null } } });
  expect((await ask(open.port, '/api/health')).headers).not.toHaveProperty('strict-transport-security');
});
