import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { client } from '../vendor/testing/enrolled-account.ts';
import { accountCommand } from './account.command.ts';
import { keyCommand } from './key.command.ts';
import { licenseCommand } from './license.command.ts';
import { exitCodes, type Said } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

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

/** Runs a command line on this test's portal and returns its output. */
const say = async (...words: readonly string[]): Promise<Said> => {
  let said: Said | null = null;
  const run: RunCommand = async (_options, work) => {
    said = await work(portal.context);
  };
  const quiet = (command: Command): Command => {
    for (const inner of command.exitOverride().configureOutput({ writeErr: () => undefined }).commands)
      quiet(inner);
    return command;
  };
  const program = new Command('portal');
  for (const command of [licenseCommand(run), accountCommand(run), keyCommand(run)])
    program.addCommand(command);
  await quiet(program).parseAsync(words, { from: 'user' });
  return said ?? expect.fail('nothing was said');
};

// Guarantee: whatever the pages can do with a license, the command line can do, too, and the log names it.
test('licenses', async () => {
  const license = await portal.issue({ buyerEmail: 'commands@example.com' });
  const hwid = newHwid();
  await portal.activate(license.licenseKey, hwid);
  expect((await say('license', 'search', hwid)).text).toContain(license.id);
  expect((await say('license', 'search', 'COMMANDS@example.com', '--json')).json).toMatchObject({
    rows: [{ id: license.id }],
    next: null,
  });
  expect((await say('license', 'search', 'nobody@example.com')).text).toBe('No license fits.\n');
  await expect(say('license', 'search', 'CSTL-0000-0000-0000-0001')).rejects.toThrow('no license key');
  expect((await say('license', 'unbind', license.licenseKey)).json).toMatchObject({ machine: null });
  await expect(say('license', 'unbind', license.id)).rejects.toThrow('not bound');
  await say('license', 'grant-transfer', license.id);
  const { text } = await say('license', 'events', license.id, '--limit', '3');
  expect(text.match(/transfer_granted {2}command line/g)).toHaveLength(1);
  expect(text.match(/unbound {2}command line/g)).toHaveLength(1);
  await expect(say('license', 'events', 'none')).rejects.toThrow('no such license');
});

// Guarantee: a license is issued as its options say, never with an end in the past, and is extended only by options
// that say how far.
test('issuing and extending', async () => {
  const issue = (...words: string[]) => say('license', 'issue', '--email', 'issued@example.com', ...words);
  const years = (count: number) => new Date(Date.now() + count * 365 * 86_400_000).toISOString();
  await expect(issue('--expires', years(-1))).rejects.toMatchObject({
    message: 'The expiry date has passed already.',
    exitCode: exitCodes.usage,
  });
  expect((await say('license', 'search', 'issued@example.com')).text).toBe('No license fits.\n');

  const until = years(1);
  const limited = await issue(
    '--expires',
    until,
    '--max-clusters',
    '3',
    '--tier',
    'premium',
    '--features',
    'store',
  );
  expect(limited.json).toMatchObject({
    expiresAt: until,
    maxClusters: 3,
    tier: 'premium',
    features: ['store'],
  });
  const { id, licenseKey } = limited.json as { id: string; licenseKey: string };
  expect(limited.text).toContain(licenseKey);
  expect((await issue()).json).toMatchObject({ expiresAt: null, maxClusters: null, features: ['*'] });

  await expect(say('license', 'extend', id)).rejects.toThrow('say --until DATE or --days N');
  await expect(say('license', 'extend', id, '--days', '1', '--until', years(2))).rejects.toThrow(
    /cannot be used/,
  );
  const { json } = await say('license', 'extend', id, '--days', '10');
  const later = new Date(Date.parse(until) + 10 * 86_400_000).toISOString();
  expect(json).toMatchObject({ expiresAt: later });
  expect((await say('license', 'extend', id, '--until', years(3))).json).not.toMatchObject({
    expiresAt: later,
  });
});

// Guarantee: an export is a new, complete file without keys; an existing file is not touched.
test('export', async () => {
  const license = await portal.issue();
  await using folder = await temporaryFolder('export');
  const output = join(folder.path, 'licenses.csv');
  await say('license', 'export', '--output', output);
  const csv = await readFile(output, 'utf8');
  expect(csv).toContain(license.id);
  expect(csv).not.toContain(license.licenseKey);
  await expect(say('license', 'export', '--output', output)).rejects.toThrow('is there already');
  expect(await readFile(output, 'utf8')).toBe(csv);
  await say('license', 'export', '--events', '--output', join(folder.path, 'events.csv'));
});

// Guarantee: an account created on the command line can sign in with the printed password, and only with the newest
// one.
test('accounts', async () => {
  expect((await say('account', 'list')).text).toMatch(/no account/);
  const { signIn } = portal.context.vendorArea;
  const passwordOf = ({ json }: Said) => (json as { initialPassword: string }).initialPassword;
  const first = passwordOf(await say('account', 'create', 'Ada'));
  expect(await signIn.password('Ada', first, client())).toMatchObject({ stage: 'enrol' });
  await expect(say('account', 'create', 'ada')).rejects.toThrow('already');
  const second = passwordOf(await say('account', 'reset', 'ada'));
  expect(await signIn.password('Ada', first, client())).toEqual({ outcome: 'wrong' });
  expect(await signIn.password('Ada', second, client())).toMatchObject({ stage: 'enrol' });
  await expect(say('account', 'disable', 'Ada')).rejects.toThrow('last account');
  await expect(say('account', 'enable', 'nobody')).rejects.toThrow('no such account');
  expect((await say('account', 'list', '--json')).json).toMatchObject([{ name: 'Ada', state: 'invited' }]);
});

// Guarantee: what the command line does to the signing keys is in the vendor's log, once for each key.
test('signing keys', async () => {
  const logged = async () =>
    (await portal.context.vendorArea.events.ofVendor({ limit: 50 }))
      .filter(({ kind }) => kind.startsWith('key'))
      .map(({ kind, subject, actorName }) => [kind, subject, actorName]);
  const { kid: first } = portal.context.keyRing.active;
  await say('key', 'rotate', '--now');
  const { kid: second } = portal.context.keyRing.active;
  await say('key', 'retire', '--', first);
  await say('key', 'strike', '--', first, second);
  await expect(say('key', 'strike', 'none')).rejects.toThrow();
  await expect(say('key', 'retire', 'none')).rejects.toThrow('no signing key');
  expect((await logged()).toReversed()).toEqual([
    ['keys_rotated', second, 'command line'],
    ['key_retired', first, 'command line'],
    ['keys_struck', first, 'command line'],
    ['keys_struck', second, 'command line'],
  ]);
});
