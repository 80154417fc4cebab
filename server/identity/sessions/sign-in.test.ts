import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { type Answer, ask } from '../../kernel/testing/ask.ts';
import { call, changeAdmin, person, signIn, type TestPerson } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile({ trustProxy: ['loopback'] });
const me = (options: Parameters<typeof call>[2]) => call(running().port, accountHttp.me, options);

/** The cookies that an answer sets, as a browser sends them back. */
const cookiesOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');

const signInByCookie = ({ name, password }: TestPerson, headers: Record<string, string> = {}) =>
  call(running().port, sessionsHttp.signIn, { body: { name, password }, headers });

// Guarantee: a browser's token is in a cookie that pages cannot read and other sites cannot use; a script's is returned once.
test('the two ways to show a session', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  expect((await me({ as: someone.token })).json).toMatchObject({
    kind: 'admin',
    name: someone.name,
    account: { role: 'viewer', totp: 'off' },
  });
  const answer = await signInByCookie(someone);
  expect(answer.json).toMatchObject({ outcome: 'signed-in', token: null });
  for (const cookie of answer.headers['set-cookie'] ?? [])
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect(answer.headers['set-cookie']).toHaveLength(2);
  expect((await me({ headers: { Cookie: cookiesOf(answer) } })).json).toMatchObject({ name: someone.name });
});

// Guarantee: a wrong password, an unknown name and a disabled admin get the same answer.
test('refusals tell nothing', async () => {
  const { port } = running();
  const known = await person(port, { role: 'viewer' });
  const disabled = await person(port, { role: 'viewer' });
  await changeAdmin(port, { as: testDesktopCredential, id: disabled.id, edit: { disabled: true } });
  const answers = await Promise.all(
    [
      { name: known.name, password: 'not this one' },
      { name: 'nobody of this name', password: 'not this one' },
      { name: disabled.name, password: disabled.password },
      { name: '\u{1F40D}'.repeat(50), password: 'not this one' },
    ].map((body) => call(port, sessionsHttp.signIn, { body })),
  );
  const [first] = answers;
  for (const { status, json, headers } of answers) {
    expect([status, { ...json, instance: '' }]).toEqual([401, { ...first?.json, instance: '' }]);
    expect(headers['set-cookie']).toBeUndefined();
  }
  expect(first?.json.code).toBe('WRONG_CREDENTIALS');
});

// Guarantee: names are equal in upper and lower case and in every way of writing them, in any script.
test('names', async () => {
  const { port } = running();
  const name = 'Straße Ångström 管理者';
  const password = 'a password of some length';
  const create = (as: string) =>
    call(port, adminsHttp.create, { as: testDesktopCredential, body: { name: as, password, role: null } });
  expect((await create(name)).json).toMatchObject({ name });
  for (const same of ['STRASSE ångström 管理者', 'straße  a\u030Angstro\u0308m 管理者'])
    expect((await create(same)).json.code).toBe('NAME_TAKEN');
  await signIn(port, 'STRASSE A\u030ANGSTRÖM 管理者', password);
  for (const none of ['', '   ', '\u200b', 'a\nb', 'a\u202eb', 'x'.repeat(65)])
    expect((await create(none)).status, JSON.stringify(none)).toBe(400);
});

// Guarantee: another site can neither act through a person's cookie nor sign anyone in; scripts with a bearer need no such proof.
test('requests from other sites', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const Cookie = cookiesOf(await signInByCookie(someone));
  const json = { 'Content-Type': 'application/json' };
  const own = { Origin: 'http://127.0.0.1:1234', Host: '127.0.0.1:1234' };
  const endOthers = (headers: Record<string, string>) => call(port, sessionsHttp.endOthers, { headers });
  for (const [what, headers] of Object.entries({
    'nothing said': { Cookie, ...json },
    'another site': { Cookie, ...json, ...own, Origin: 'https://evil.example' },
    'another port': { Cookie, ...json, ...own, Origin: 'http://127.0.0.1:9999' },
    'no origin at all': { Cookie, ...json, Origin: 'null' },
    'the browser says so': { Cookie, ...json, ...own, 'Sec-Fetch-Site': 'cross-site' },
    'a neighbour': { Cookie, ...json, 'Sec-Fetch-Site': 'same-site' },
    'a form': { Cookie, ...own, 'Content-Type': 'text/plain' },
    'no type': { Cookie, ...own },
    'a form with a file': { Cookie, ...own, 'Content-Type': 'multipart/form-data; boundary=x' },
    'a form that names bytes': { Cookie, ...own, 'Content-Type': 'text/plain; application/octet-stream' },
    'another type that begins so': { Cookie, ...own, 'Content-Type': 'application/octet-stream-of-forms' },
    'bytes of another site': {
      Cookie,
      ...own,
      Origin: 'https://evil.example',
      'Content-Type': 'application/octet-stream',
    },
    'bytes, and nothing said': { Cookie, 'Content-Type': 'application/octet-stream' },
  })) {
    const answer = await endOthers(headers);
    expect([answer.status, answer.json.code], what).toEqual([403, 'CROSS_ORIGIN']);
  }
  expect((await me({ as: someone.token })).status).toBe(200);
  const foreign = await signInByCookie(someone, { Origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);

  expect((await endOthers({ Cookie, ...json, ...own })).json).toEqual({ ended: 1 });
  expect((await endOthers({ Cookie, ...json, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  const part = { Cookie, ...own, 'Content-Type': 'application/octet-stream' };
  const upload = await ask(port, '/api/servers/none/mods/uploads/none?from=0', {
    method: 'PUT',
    headers: part,
    body: Buffer.from('bytes'),
  });
  expect(upload.json.code).toBe('FORBIDDEN');
  const script = await signIn(port, someone.name, someone.password);
  expect((await endOthers({ Authorization: `Bearer ${script}` })).status).toBe(200);
});

// Guarantee: over TLS the cookies are bound to this host and to TLS; one set without TLS does not count there.
test('by TLS', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const tls = { 'X-Forwarded-Proto': 'https' };
  const answer = await signInByCookie(someone, tls);
  for (const cookie of answer.headers['set-cookie'] ?? [])
    expect(cookie).toMatch(/^__Host-castellan_\w+=.*; Path=\/; .*Secure; SameSite=Strict$/);
  expect((await me({ headers: { ...tls, Cookie: cookiesOf(answer) } })).status).toBe(200);
  expect((await me({ headers: { Cookie: cookiesOf(answer) } })).status).toBe(401);
  const plain = cookiesOf(await signInByCookie(someone));
  expect((await me({ headers: { ...tls, Cookie: plain } })).status).toBe(401);
});

// Guarantee: behind a proxy that changes Host, a browser's own word suffices to sign in and to change something, and where it gives
// none, the public address of the settings; another site gets nothing by either.
test('behind a proxy that passes on another Host', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const Host = '127.0.0.1:3000';
  const page = { Host, Origin: 'https://panel.example.com' };
  const told = { ...page, 'Sec-Fetch-Site': 'same-origin' };
  const statuses = async (headers: Record<string, string>) => {
    const signedIn = await signInByCookie(someone, headers);
    const Cookie = cookiesOf(await signInByCookie(someone));
    const body = { ...headers, Cookie, 'Content-Type': 'application/json' };
    const { status } = await call(port, sessionsHttp.endOthers, { headers: body });
    return [signedIn.status, status];
  };
  expect(await statuses(told)).toEqual([200, 200]);
  expect(await statuses(page)).toEqual([403, 403]);
  const set = await call(port, settingsHttp.change, {
    as: testDesktopCredential,
    params: { section: 'general' },
    body: { version: 0, values: { publicAddress: 'https://Panel.Example.com/' } },
  });
  expect([set.status, set.json]).toMatchObject([200, {}]);
  expect(await statuses(page)).toEqual([200, 200]);
  for (const Origin of [
    'https://evil.example',
    'http://panel.example.com',
    'https://panel.example.com:8443',
    'null',
  ])
    expect(await statuses({ Host, Origin }), Origin).toEqual([403, 403]);
  expect(await statuses({ ...page, 'Sec-Fetch-Site': 'cross-site' })).toEqual([403, 403]);
});

// Guarantee: no one can choose the session that someone else signs in to.
test('a session is always a new one', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const planted = `castellan_session=cse_${'A'.repeat(43)}`;
  const answer = await signInByCookie(someone, { Cookie: planted });
  expect(cookiesOf(answer)).not.toContain(planted);
  expect((await me({ headers: { Cookie: planted } })).status).toBe(401);
});

// Guarantee: sessions end after 12 hours without use, and after 30 days in any case; a use is recorded once a minute.
test('expiry', async () => {
  const { port, databaseUrl } = running();
  const { id, token } = await person(port, { role: 'viewer' });
  await using sql = await sqlSession(databaseUrl);
  const move = (usedAgo: string, createdAgo: string) =>
    sql.query(
      'update sessions set last_used_at = now() - $1::interval, created_at = now() - $2::interval where admin_id = $3',
      [usedAgo, createdAgo, id],
    );
  const usedSeconds = async () => {
    const [row] = await sql.query<{ ago: number }>(
      'select extract(epoch from now() - last_used_at)::float as ago from sessions where admin_id = $1',
      [id],
    );
    return row?.ago ?? Number.NaN;
  };
  await move('30 seconds', '30 seconds');
  await me({ as: token });
  expect(await usedSeconds()).toBeGreaterThanOrEqual(30);
  await move('11 hours 59 minutes', '29 days');
  expect((await me({ as: token })).status).toBe(200);
  expect(await usedSeconds()).toBeLessThan(60);
  await move('12 hours 1 minute', '1 day');
  expect((await me({ as: token })).status).toBe(401);
  await move('1 second', '30 days 1 minute');
  expect((await me({ as: token })).status).toBe(401);
});

// Guarantee: people see their own sessions, can end any of them, and no one else's.
test('own sessions', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const other = await person(port, { role: 'viewer' });
  const second = await signIn(port, someone.name, someone.password);
  const list = async (as: string) =>
    (await call(port, sessionsHttp.list, { as })).json.rows as { id: string; current: boolean }[];
  const sessions = await list(second);
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  const first = sessions.find(({ current }) => !current)?.id ?? '';
  const end = (as: string) => call(port, sessionsHttp.end, { as, params: { id: first } });
  expect((await end(other.token)).status).toBe(404);
  expect((await end(second)).status).toBe(200);
  expect((await me({ as: someone.token })).status).toBe(401);
  expect((await call(port, sessionsHttp.signOut, { as: second })).status).toBe(200);
  expect((await me({ as: second })).status).toBe(401);
});

// Guarantee: the database holds nothing that gives access to a session.
test('tokens at rest', async () => {
  const { port, databaseUrl } = running();
  const { token } = await person(port, { role: 'viewer' });
  await using sql = await sqlSession(databaseUrl);
  const [row] = await sql.query<{ text: string }>(
    'select string_agg(sessions::text, chr(10)) as text from sessions',
  );
  expect(row?.text).not.toContain(token.slice(4));
  expect(row?.text).not.toContain(Buffer.from(token).toString('hex'));
});

// Guarantee: failures from one address slow that address down, say for how long, and keep the admin out nowhere else.
test('throttling', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'viewer' });
  const guess = (localAddress: string, password = 'a wrong guess') =>
    call(port, sessionsHttp.signIn, {
      body: { name: owner.name, password, transport: 'bearer' },
      localAddress,
    });
  const answers = [];
  for (let tries = 0; tries < 30; tries += 1) answers.push(await guess('127.0.0.9'));
  const codes = answers.map(({ json }) => json.code);
  expect(codes.filter((code) => code === 'WRONG_CREDENTIALS')).toHaveLength(5);
  expect(codes.slice(5).every((code) => code === 'RATE_LIMITED')).toBe(true);
  expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  // Where it signed in before, …
  expect((await guess('127.0.0.1', owner.password)).json.outcome).toBe('signed-in');
  // … and there, with the browser that did.
  const cookies = cookiesOf(await signInByCookie(owner));
  const again = await call(port, sessionsHttp.signIn, {
    body: { name: owner.name, password: owner.password },
    headers: { Cookie: cookies },
    localAddress: '127.0.0.9',
  });
  expect(again.json.outcome).toBe('signed-in');
});
