import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { newestCode } from '#harness/mailbox.ts';
import { newHwid, newMasterKey, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { createPortalApp } from '../app.ts';
import { openTabOf } from './testing/open-tab.ts';

const masterKey = newMasterKey();
let database: TestDatabase;
let portal: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, masterKey });
});
afterAll(async () => {
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const openTab = (url = portal.url) => openTabOf(portal, masterKey, { url });

let customers = 0;
const newCustomer = async () => {
  customers += 1;
  const email = `reader-${customers}@example.com`;
  const license = await portal.issue({ buyerEmail: email });
  await portal.activate(license.licenseKey, newHwid());
  return { email, license };
};

// Guarantee: no page runs a script, loads anything from elsewhere, can be framed, or is cached.
test('every page carries its headers', async () => {
  const tab = openTab();
  for (const path of ['/account/sign-in', '/account/nowhere']) {
    const { headers, text } = await tab.send(path);
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(text).not.toMatch(/<script|style=|onclick/i);
  }
  const { text } = await tab.send('/account/sign-in');
  const href = / href="(\/assets\/portal\.css[^"]*)"/.exec(text)?.[1] ?? '';
  const { status, headers } = await tab.send(href);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(headers.get('Cache-Control')).toContain('immutable');
});

// Guarantee: during an upgrade, an answer to a request that belongs to another version is not cached under that version's address.
test('the style of another version is not kept', async () => {
  const { headers } = await openTab().send('/assets/portal.css?v=another');
  expect(headers.get('Cache-Control')).toBe('no-store');
});

// Guarantee: a form is accepted only from our own page, in the browser that loaded it.
test('forms of other sites and other browsers are refused', async () => {
  const { email, license } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const path = `/account/licenses/${license.id}/transfer`;
  const csrf = await tab.csrfOf(path);
  const hwid = newHwid();
  const other = openTab();
  await other.signIn((await newCustomer()).email);
  const refused = {
    'another site': await tab.post(path, { csrf, hwid }, { Origin: 'https://evil.example' }),
    'an opaque origin': await tab.post(path, { csrf, hwid }, { Origin: 'null' }),
    'a sister site': await tab.post(path, { csrf, hwid }, { 'Sec-Fetch-Site': 'same-site' }),
    'no token': await tab.post(path, { hwid }),
    "another browser's token": await tab.post(path, { csrf: await other.csrfOf('/account/sessions'), hwid }),
  };
  for (const [what, { status }] of Object.entries(refused)) expect([what, status]).toEqual([what, 403]);
  const visitor = openTab();
  await visitor.send('/account/sign-in');
  expect((await visitor.post('/account/sign-in', { email })).status).toBe(403);
  expect((await tab.post(path, { csrf, hwid, replaces: '' })).status).toBe(303);
});

// Guarantee: a request that is no form, is too large, or is not text is refused with a page, and nothing happens.
test('bad forms are refused', async () => {
  const { email } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const csrf = await tab.csrfOf('/account/sessions');
  const path = '/account/sessions/end-all';
  const raw = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    tab.send(path, {
      method: 'POST',
      body,
      headers: { Origin: portal.url, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  const chunked = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 20; part += 1) controller.enqueue(Buffer.alloc(1024, 'a'));
      controller.close();
    },
  });
  const streamed = { method: 'POST', body: chunked, duplex: 'half' } as RequestInit;
  const answers = {
    json: [await raw('{}', { 'Content-Type': 'application/json' }), 415],
    large: [await raw(`csrf=${csrf}&x=${'a'.repeat(17_000)}`), 413],
    'large, unannounced': [
      await tab.send(path, {
        ...streamed,
        headers: { Origin: portal.url, 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
      413,
    ],
    'no UTF-8': [await raw(new Uint8Array([0xff, 0xfe])), 400],
    NUL: [await raw(`csrf=${csrf}&x=%00`), 400],
    'too many fields': [await raw(`csrf=${csrf}${'&a=1'.repeat(200)}`), 400],
  } as const;
  for (const [what, [{ status, text }, expected]] of Object.entries(answers)) {
    expect([what, status]).toEqual([what, expected]);
    expect(text).toContain('<!doctype html>');
  }
  expect((await tab.send('/account')).status).toBe(200);
});

// Guarantee: the session cookie cannot be read by scripts, is sent to no other host, and is new at each sign-in.
test('session cookies', async () => {
  const { email } = await newCustomer();
  const log = createLog({ component: 'portal', level: 'silent' });
  const publicUrl = 'https://licenses.example.com';
  const app = createPortalApp(portal.context, { trustProxy: false, publicUrl, log });
  await using secure = await listen({ handler: app, host: '127.0.0.1', port: 0 });
  const tab = openTab(`http://127.0.0.1:${secure.port}`);
  const first = await tab.signIn(email);
  const cookie = first.headers.getSetCookie().find((line) => line.includes('castellan_customer=')) ?? '';
  expect(cookie).toMatch(/^__Host-castellan_customer=cus_/);
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(part);
  expect(cookie).not.toContain('Domain');

  const plain = openTab();
  const name = 'castellan_customer';
  await plain.signIn(email);
  const before = plain.cookies.get(name) ?? '';
  await plain.send('/account/sign-in');
  // The form of a page that was left open since before the first sign-in.
  plain.cookies.delete(name);
  const csrf = await plain.csrfOf('/account/sign-in');
  await plain.post('/account/sign-in', { csrf, email });
  plain.cookies.set(name, before);
  const code = await newestCode(portal.context, masterKey, email);
  await plain.post('/account/sign-in/code', { csrf, code });
  expect(plain.cookies.get(name)).not.toBe(before);
  plain.cookies.set(name, before);
  expect((await plain.send('/account')).location).toBe('/account/sign-in');
});

// Guarantee: a browser's session is not valid as a bearer token, nor a program's token as a cookie.
test('the kinds of sessions are kept apart', async () => {
  const { email } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const token = tab.cookies.get('castellan_customer') ?? '';
  const bearer = await fetch(`${portal.url}/api/customer/licenses`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect([bearer.status, await bearer.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
});

// Guarantee: whatever a customer types is shown as text.
test('markup is text', async () => {
  const tab = openTab();
  const csrf = await tab.csrfOf('/account/sign-in');
  const { status, text } = await tab.post('/account/sign-in', { csrf, email: '"><script>alert(1)</script>' });
  expect(status).toBe(400);
  expect(text).toContain('&lt;script&gt;');
  expect(text).not.toContain('<script');
  // It appears only encoded, in the return path of the language switch.
  const foreign = await tab.send(`/account/sign-in?notice="'><script>`);
  expect(foreign.text).not.toMatch(/<script|&lt;script|role="status"/);
  expect(foreign.text).toContain('value="/account/sign-in?notice=%22%27%3E%3Cscript%3E"');
});

// Guarantee: an unreachable database is reported on a page, with 503, and not as the customer's mistake.
test('the database is away', async () => {
  const tab = openTab();
  const csrf = await tab.csrfOf('/account/sign-in');
  const { pool } = portal.context;
  const real = pool.connect;
  pool.connect = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  try {
    const { status, text } = await tab.post('/account/sign-in', { csrf, email: 'reader@example.com' });
    expect(status).toBe(503);
    expect(text).toContain('<!doctype html>');
  } finally {
    pool.connect = real;
  }
});

// Guarantee: after a form was refused twice, the language switch leads to the page of the form: the address that
// receives the form has no page, but is what the browser names as the referrer.
test('the page of a form that was refused twice', async () => {
  const { email, license } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const of = `/account/licenses/${license.id}`;
  for (const [path, page] of [
    [`${of}/reveal/code`, `${of}/reveal`],
    [`${of}/transfer/cancel`, of],
    ['/account/sessions/end-all', '/account/sessions'],
    ['/account/sign-out', '/account'],
  ] as const) {
    const refused = await tab.post(path, { csrf: 'stale' }, { Referer: portal.url + path });
    const place = / name="place" value="([^"]*)"/.exec(refused.text)?.[1] ?? '';
    expect([path, refused.status, (await tab.send(place)).location]).toEqual([path, 403, page]);
    expect([page, (await tab.send(page)).status]).toEqual([page, 200]);
  }
});

// Guarantee: the page with the key has no language switch, which would lose the key.
test('the key is shown once', async () => {
  const { email, license } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const path = `/account/licenses/${license.id}/reveal`;
  const csrf = await tab.csrfOf(path);
  await tab.post(`${path}/code`, { csrf });
  const { text } = await tab.post(path, { csrf, code: await newestCode(portal.context, masterKey, email) });
  expect([text.includes(license.licenseKey), text.includes('action="/language"')]).toEqual([true, false]);
});

// Guarantee: a license that cannot be transferred shows no form for it, but says why, and what helps.
test('a license that cannot be transferred', async () => {
  const { email, license } = await newCustomer();
  const tab = openTab();
  await tab.signIn(email);
  const path = `/account/licenses/${license.id}/transfer`;
  const form = `action="${path}"`;
  expect((await tab.send(path)).text).toContain(form);
  const csrf = await tab.csrfOf(path);
  const { pool } = portal.context;
  await pool.query(`update licenses set status = 'suspended' where id = $1`, [license.id]);
  for (const answer of [await tab.send(path), await tab.post(path, { csrf, hwid: newHwid() })]) {
    expect(answer.text).toContain('This license is suspended');
    expect(answer.text).not.toContain('free transfer is available');
    expect(answer.text).not.toContain(form);
  }
  await pool.query(`update licenses set status = 'active' where id = $1`, [license.id]);
  await pool.query('delete from machines where license_id = $1', [license.id]);
  expect((await tab.send(path)).text).toContain('not bound to a machine');
});

// Guarantee: masses of requests with made-up sessions do not use up the connections needed for checking licenses.
test('a flood of made-up sessions', async () => {
  const { pool } = portal.context;
  let mostWaiting = 0;
  const note = () => {
    mostWaiting = Math.max(mostWaiting, pool.waitingCount);
  };
  pool.on('acquire', note).on('release', note);
  const cookie = (index: number) => `cus_${String(index).padStart(43, '0')}`;
  const flood = Array.from({ length: 100 }, async (_, index) => {
    const tab = openTab();
    tab.cookies.set('castellan_customer', cookie(index));
    return (await tab.send('/account')).location;
  });
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['/account/sign-in']));
  pool.off('acquire', note).off('release', note);
  expect(mostWaiting).toBe(0);
});
