import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LicenseStatus, licenseCheckHeader } from '#contracts/license/license-state.ts';
import { eventually } from '#harness/eventually.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp } from '#runtime/http/routes.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { type TestLicense, testLicense } from '../../kernel/testing/test-license.ts';
import { createPortalQuestion } from '../check/license-check.ts';
import { licenseGate, licenseRefusal } from './license-gate.ts';

let license: TestLicense;
let nowMs: number;
let questions: PromiseWithResolvers<LicenseStatus>[];
let listener: Listener;

const serve = async (patienceMs: number) => {
  const app = createApp(false);
  app.use(nameRequests);
  app.use(
    licenseGate({
      refusal: (isLocal) => licenseRefusal(license.status(), isLocal),
      isPanelFile: (_method, path) => path === '/',
      isWebhook: () => false,
      portal: createPortalQuestion(
        {
          status: license.status,
          checkNow() {
            const question = Promise.withResolvers<LicenseStatus>();
            questions.push(question);
            return question.promise;
          },
        },
        () => nowMs,
      ),
      log: silentLog,
      patienceMs,
    }),
  );
  app.use((_request, response) => void response.json({ passed: true }));
  app.use(answerProblems(silentLog));
  listener = await listen({ handler: app, host: '127.0.0.1', port: 0 });
};
const headers = { [licenseCheckHeader]: '1' };
const checked = (path = '/api/account') => ask(listener.port, path, { headers });
const asked = async (count: number) => {
  await eventually(() => expect(questions).toHaveLength(count));
  return questions[count - 1] as PromiseWithResolvers<LicenseStatus>;
};

beforeEach(() => {
  license = testLicense();
  license.set('rejected', 'SUSPENDED');
  nowMs = 0;
  questions = [];
});
afterEach(() => listener[Symbol.asyncDispose]());

// Guarantee: a request with the header is answered after the portal, by what the license is then; all that wait share the question.
test('a resumed license lets the waiting requests pass', async () => {
  await serve(60_000);
  const answers = [checked(), checked(), checked('/api/other')];
  const question = await asked(1);
  license.set('valid');
  question.resolve(license.status());
  for (const answer of await Promise.all(answers)) expect(answer.json).toEqual({ passed: true });
  expect(questions).toHaveLength(1);
});

// Guarantee: a caller that sends the header all the time makes one question in 10 s; every answer stays the license's 403.
test('at most once in 10 s', async () => {
  await serve(60_000);
  const first = checked();
  (await asked(1)).resolve(license.status());
  expect(await first).toMatchObject({ status: 403, json: { code: 'SUSPENDED' } });
  for (nowMs = 0; nowMs < 10_000; nowMs += 1000) expect((await checked()).status).toBe(403);
  expect(questions).toHaveLength(1);
  nowMs = 10_000;
  const next = checked();
  (await asked(2)).reject(new Error('no disk'));
  expect(await next).toMatchObject({ status: 403, json: { code: 'SUSPENDED' } });
});

// Guarantee: a portal that does not answer holds no request longer than the gate's patience.
test('a frozen portal', async () => {
  await serve(20);
  expect(await checked()).toMatchObject({ status: 403, json: { code: 'SUSPENDED' } });
  expect(questions).toHaveLength(1);
  questions[0]?.resolve(license.status());
});

// Guarantee: without the header, for the panel's files, and while the license holds, the portal is not asked.
test('ordinary requests', async () => {
  await serve(60_000);
  expect((await ask(listener.port, '/api/account')).status).toBe(403);
  expect((await checked('/')).status).toBe(200);
  license.set('grace');
  expect((await checked()).status).toBe(200);
  expect(questions).toEqual([]);
});

// Guarantee: the refusal says when the portal was last asked and where the license is mended, but not the portal's words.
test('what the refusal says', async () => {
  await serve(60_000);
  const at = new Date(0).toISOString();
  const customerAreaUrl = 'https://licenses.example/account';
  license.set('rejected', 'EXPIRED', {
    customerAreaUrl,
    lastCheck: { at, outcome: 'refused', detail: 'internal' },
  });
  const { json } = await ask(listener.port, '/api/account', { headers: { Host: 'castellan.example' } });
  expect(json.license).toEqual({
    state: 'rejected',
    code: 'EXPIRED',
    detail: 'The license is rejected.',
    lastCheck: { at, outcome: 'refused' },
    customerAreaUrl,
  });
});
