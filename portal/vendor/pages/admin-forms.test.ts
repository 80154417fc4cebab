import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { newId } from '../../database/new-id.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { stylesheet } from '../../pages/stylesheet.ts';
import { codeAt, type EnrolledAccount, enrolAccount } from '../testing/enrolled-account.ts';

let database: TestDatabase;
let portal: TestPortal;
let account: EnrolledAccount;
beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url });
  account = await enrolAccount(portal, 'Ada');
});
afterAll(async () => {
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const cookie = () => ({ Cookie: `castellan_vendor=${account.token}` });
const csrf = () => csrfTokenOf(account.token);
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${portal.url}/admin${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...cookie(), 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });

// Guarantee: after a form was refused twice, the language switch leads to the page of the form: the address that
// receives the form has no page, but is what the browser names as the referrer.
test.each([
  ['/account/time-zone', '/admin/account'],
  ['/account/password', '/admin/account'],
  ['/account/recovery-codes', '/admin/account'],
  ['/account/sign-out-everywhere', '/admin/account'],
  ['/licenses/search', '/admin/licenses'],
  ['/keys/rotate', '/admin/keys'],
  ['/mail/none/retry', '/admin/mail'],
  ['/purchases/none/retry', '/admin/purchases'],
  ['/sign-out', '/admin'],
])('the page of the form that %s takes', async (path, page) => {
  const refused = await send(path, { csrf: 'stale' }, { Referer: `${portal.url}/admin${path}` });
  const place = / name="place" value="([^"]*)"/.exec(await refused.text())?.[1];
  const shown = await fetch(`${portal.url}${place}`, { headers: cookie() });
  expect([refused.status, shown.status, shown.url]).toEqual([403, 200, portal.url + page]);
});

// Guarantee: a page with a secret that cannot be shown again has no language switch, which would lose the secret.
test('what is shown once', async () => {
  const grant = { plan: '-', tier: 'standard', feature: '*' };
  const { secret } = account;
  // The code of the enrolment is used up; the next one is already valid.
  const code = codeAt(secret, new Date(portal.context.vendorArea.now().getTime() + 30_000));
  const pages = {
    'a key': await send('/licenses/new', { csrf: csrf(), id: newId(), email: 'once@example.com', ...grant }),
    'a first password': await send('/accounts', { csrf: csrf(), name: 'Grace' }),
    'recovery codes': await send('/account/recovery-codes', { csrf: csrf(), code }),
  };
  for (const [what, answer] of Object.entries(pages)) {
    const text = await answer.text();
    expect([what, answer.status, / class="shown-once"/.test(text)]).toEqual([what, 200, true]);
    expect([what, text.includes('action="/language"')]).toEqual([what, false]);
  }
});

// Guarantee: fields that contradict the chosen plan are visible after the form was refused, and hidden before.
test('a plan, and more', async () => {
  await portal.context.plans.put({
    id: 'year',
    tier: 'pro',
    features: ['*'],
    maxClusters: null,
    durationDays: 365,
  });
  const fields = async (sent: Record<string, string>) => {
    const answer = await send('/licenses/new', { csrf: csrf(), id: newId(), email: 'no', ...sent });
    return / class="(without-plan[^"]*)"/.exec(await answer.text())?.[1];
  };
  expect(stylesheet).toMatch(/:checked\) \.hidden-by-plan \{ display: none; \}/);
  expect(await fields({ plan: 'year' })).toBe('without-plan hidden-by-plan');
  expect(await fields({ plan: 'year', tier: 'standard' })).toBe('without-plan');
  expect(await fields({ plan: 'year', clusters: '2' })).toBe('without-plan');
});
