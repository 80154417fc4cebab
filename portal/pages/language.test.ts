import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { newMasterKey, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';

let database: TestDatabase;
let portal: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, masterKey: newMasterKey() });
});
afterAll(async () => {
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const signInPath = '/account/sign-in';

const ask = async (path: string, headers: Readonly<Record<string, string>>, body?: URLSearchParams) => {
  const init = body ? { method: 'POST', body } : {};
  const answer = await fetch(portal.url + path, { redirect: 'manual', headers, ...init });
  const text = await answer.text();
  return {
    status: answer.status,
    language: /<html lang="([^"]*)"/.exec(text)?.[1] ?? null,
    place: / name="place" value="([^"]*)"/.exec(text)?.[1] ?? null,
    location: answer.headers.get('Location'),
    cookies: answer.headers.getSetCookie(),
    text,
  };
};

const switchTo = (language: string, place: string, headers: Readonly<Record<string, string>> = {}) =>
  ask('/language', { Origin: portal.url, ...headers }, new URLSearchParams({ language, place }));

// Guarantee: a page is in the language that its reader has chosen, otherwise in the first that the browser asks for, otherwise in English.
test.each([
  ['nothing', {}, 'en'],
  ['Portuguese', { 'Accept-Language': 'pt-PT,en;q=0.5' }, 'pt-BR'],
  ['English before Portuguese', { 'Accept-Language': 'pt;q=0.5, en-GB' }, 'en'],
  ['what is not spoken here, then Portuguese', { 'Accept-Language': 'de, pt-BR;q=0.3' }, 'pt-BR'],
  ['no Portuguese at all', { 'Accept-Language': 'pt;q=0' }, 'en'],
  ['noise', { 'Accept-Language': ';;,q=,*' }, 'en'],
  ['a choice', { 'Accept-Language': 'pt-BR', Cookie: 'castellan_language=en' }, 'en'],
  ['a choice of nothing', { 'Accept-Language': 'pt-BR', Cookie: 'castellan_language=xx' }, 'pt-BR'],
])('asked for by %s', async (_what, headers, language) => {
  expect((await ask(signInPath, headers)).language).toBe(language);
  expect((await ask('/admin/sign-in', headers)).language).toBe(language);
});

// Guarantee: faults are also explained in the reader's language, and without technical terms.
test('a fault in two languages', async () => {
  const missing = await ask('/account/nowhere', { 'Accept-Language': 'pt-BR' });
  expect(missing).toMatchObject({ status: 404, language: 'pt-BR' });
  expect(missing.text).toContain('Página não encontrada');
  expect((await ask('/account/nowhere', {})).text).toContain('Page not found');
  const tooLong = new URLSearchParams({ email: 'a'.repeat(20_000) });
  const refused = await ask(signInPath, { Origin: portal.url, 'Accept-Language': 'pt-BR' }, tooLong);
  expect(refused).toMatchObject({ status: 413, language: 'pt-BR' });
  expect(refused.text).toContain('A solicitação é longa demais');
});

// Guarantee: the switch works without a script, stores the choice, and leads back to the page that it was on.
test('a language is chosen', async () => {
  const before = await ask(`${signInPath}?notice=ended`, {});
  expect(before.place).toBe(`${signInPath}?notice=ended`);
  const switched = await switchTo('pt-BR', before.place ?? '');
  expect(switched).toMatchObject({ status: 303, location: before.place });
  const [cookie = ''] = switched.cookies;
  expect(cookie).toMatch(/^castellan_language=pt-BR; .*HttpOnly/);
  const after = await ask(signInPath, { Cookie: cookie.split(';')[0] ?? '', 'Accept-Language': 'en' });
  expect(after.language).toBe('pt-BR');
});

// Guarantee: a page that answers a form leads back to the page of the form: its own address has no page.
test('a language is chosen on the answer to a form', async () => {
  const form = new URLSearchParams({ email: '' });
  const refused = await ask(signInPath, { Origin: portal.url, Referer: `${portal.url}${signInPath}` }, form);
  expect(refused).toMatchObject({ status: 403, place: signInPath });
});

// Guarantee: no other site can choose a language, redirect by the switch, or put its own text into the cookie.
test('a choice of another site, or of nothing, is refused', async () => {
  expect((await switchTo('pt-BR', '/account', { Origin: 'https://evil.example' })).status).toBe(403);
  expect((await switchTo('pt-BR', 'https://evil.example/account')).location).toBe('/account');
  expect((await switchTo('xx; Domain=evil.example', '/account')).cookies).toEqual([]);
});

// Guarantee: at an unknown address a person gets a page in their language, and a program a problem document that it can read.
test('an unknown address', async () => {
  const page = await ask('/nowhere', { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'pt-BR' });
  expect(page).toMatchObject({ status: 404, language: 'pt-BR' });
  for (const [path, accept] of [
    ['/nowhere', '*/*'],
    ['/nowhere', 'application/json'],
    ['/api/nowhere', 'text/html'],
  ] as const) {
    const { status, text } = await ask(path, { Accept: accept });
    expect([path, accept, status, JSON.parse(text).code]).toEqual([path, accept, 404, 'NOT_FOUND']);
  }
});
