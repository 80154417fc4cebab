import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, person } from '../../kernel/testing/call.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { testLicense } from '../../kernel/testing/test-license.ts';
import { checkLicense, createPortalQuestion } from './license-check.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '127.0.0.1' };
const license = testLicense('grace');
let nowMs: number;
let answers: PromiseWithResolvers<LicenseStatus>[];

const setUp = () => {
  const portal = createPortalQuestion(
    {
      status: license.status,
      checkNow() {
        const answer = Promise.withResolvers<LicenseStatus>();
        answers.push(answer);
        return answer.promise;
      },
    },
    () => nowMs,
  );
  return (asking: typeof by) => checkLicense({ db: database.db, portal }, asking);
};
const confirmed = (): LicenseStatus => {
  license.set('valid');
  const at = new Date(0).toISOString();
  return { ...license.status(), lastCheck: { at, outcome: 'confirmed', detail: null } };
};
const audited = () =>
  database.db.selectFrom('audit_logs').select(['action', 'before', 'after']).orderBy('id').execute();

beforeEach(() => {
  nowMs = 0;
  answers = [];
  license.set('grace');
});

// Guarantee: however many ask at the same time, the portal is asked once; the audit log records each of them with the result.
test('one question for all', async () => {
  const check = setUp();
  const asked = [check(by), check(by), check(by)];
  expect(answers).toHaveLength(1);
  answers[0]?.resolve(confirmed());
  for (const status of await Promise.all(asked)) expect(status).toMatchObject({ state: 'valid' });
  const row = {
    action: 'license.check',
    before: { state: 'grace', code: null, outcome: null },
    after: { state: 'valid', code: null, outcome: 'confirmed' },
  };
  expect(await audited()).toEqual([row, row, row]);
});

// Guarantee: two questions are 10 s apart, even after one that failed; anyone who asks sooner is told how long to wait.
test('10 s apart', async () => {
  const check = setUp();
  const first = check(by);
  nowMs = 30_000;
  answers[0]?.reject(new Error('no disk'));
  await expect(first).rejects.toThrow('no disk');
  nowMs = 30_500;
  expect(await check(by)).toMatchObject({ refused: 'RATE_LIMITED', retryAfterMs: 9500 });
  nowMs = 40_000;
  const second = check(by);
  expect(answers).toHaveLength(2);
  answers[1]?.resolve(confirmed());
  expect(await second).toMatchObject({ state: 'valid' });
});

const running = apiForThisFile();

// Guarantee: over HTTP it requires stack.write, works in the grace period, and says in Retry-After when to try again.
test('over HTTP', async () => {
  const { port, api } = running();
  api.license.set('grace');
  const reader = await person(port, { role: await customRole(port, ['stack.read']) });
  expect((await call(port, licenseStateHttp.check, { as: reader.token })).status).toBe(403);
  const writer = await person(port, { role: await customRole(port, ['stack.write']) });
  const answer = await call(port, licenseStateHttp.check, { as: writer.token });
  expect(answer).toMatchObject({ status: 200, json: { state: 'grace' } });
  const again = await call(port, licenseStateHttp.check, { as: writer.token });
  expect(again).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } });
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(10);
  const { json } = await call(port, auditHttp.list, { as: testDesktopCredential });
  const rows = (json.rows as { action: string; actor: unknown }[]).filter(
    ({ action }) => action === 'license.check',
  );
  expect(rows).toMatchObject([{ actor: { kind: 'admin', id: writer.id } }]);
});
