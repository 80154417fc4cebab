import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import type { TestDatabase } from '#harness/database.ts';
import { newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';

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

const realQuery = pg.Client.prototype.query;

const whileWatching = async (ask: () => Promise<unknown>): Promise<readonly string[]> => {
  const seen: string[] = [];
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [query] = given as [string | { text: string }];
    seen.push(typeof query === 'string' ? query : query.text);
    return realQuery.apply(this, given as Parameters<typeof realQuery>);
  });
  await ask();
  spy.mockRestore();
  return seen.filter((text) => text.includes('machines') || /^(?:begin|commit|rollback)/.test(text));
};

// Guarantee: an unknown key and a known one that may not be activated get the same answer for the same single
// statement, which writes the same row for both and locks no license; without that, unknown ones were answered sooner
// 86 times out of 100.
test('an unknown key costs what a known one does', async () => {
  const { id, licenseKey } = await portal.issue();
  await portal.context.vendor.suspend(id);
  const answers: unknown[] = [];
  const ask = (key: string) => async () => {
    const { status, body } = await portal.activate(key, newHwid());
    answers.push({ status, ...body, instance: '' });
  };
  const known = await whileWatching(ask(licenseKey));
  const unknown = await whileWatching(ask(makeLicenseKey(randomBytes(16))));
  expect(known).toEqual([expect.stringContaining('machines')]);
  expect(unknown).toEqual(known);
  expect(answers[1]).toEqual(answers[0]);
});
