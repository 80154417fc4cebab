import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase } from '#harness/portal.ts';
import { openShop, type Shop } from '../purchases/testing/shop.ts';
import { mailCommand } from './mail.command.ts';
import type { Said } from './outcome.ts';
import { planCommand } from './plan.command.ts';
import { purchaseCommand } from './purchase.command.ts';

let database: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await portalDatabase();
  shop = await openShop(database);
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Runs a command line on this test's portal and returns its output. */
const say = async (...words: readonly string[]): Promise<Said> => {
  let said: Said | null = null;
  const run = async (_options: object, work: (context: Shop['portal']['context']) => Promise<Said>) => {
    said = await work(shop.portal.context);
  };
  const quiet = (command: Command): Command => {
    for (const inner of command.exitOverride().configureOutput({ writeErr: () => undefined }).commands)
      quiet(inner);
    return command;
  };
  const program = new Command('portal');
  for (const command of [planCommand(run), purchaseCommand(run), mailCommand(run)])
    program.addCommand(command);
  await quiet(program).parseAsync(words, { from: 'user' });
  return said ?? expect.fail('nothing was said');
};
const buy = (plan: string, id: string) =>
  shop.send('generic', {
    id,
    type: 'purchase',
    occurredAt: '2026-03-01T10:00:00Z',
    orderId: `order-${id}`,
    email: 'buyer@example.com',
    plan,
  });

// Guarantee: on the command line the vendor finds what waits for a plan, adds the plan, and the buyer gets the license.
test('a missing plan is added', async () => {
  await buy('yearly', 'e1');
  const { json } = await say('purchase', 'list', '--outcome', 'unprocessed');
  expect(json).toMatchObject([{ reason: 'There is no plan yearly.' }]);
  const set = await say('plan', 'set', 'yearly', '--tier', 'pro', '--features', 'a,b', '--days', '365');
  expect(set).toMatchObject({ json: { durationDays: 365, features: ['a', 'b'], fulfilled: 1 } });
  expect((await say('plan', 'list')).text).toMatch(/Plan +yearly/);
  expect((await say('mail', 'list', '--state', 'due')).text).toMatch(/To +buyer@example\.com/);
  expect((await say('purchase', 'list')).text).toMatch(/Outcome +processed/);
});

// Guarantee: a command that finds nothing to do says so, and fails.
test('nothing there', async () => {
  await expect(say('plan', 'remove', 'none')).rejects.toThrow('no such plan');
  await expect(say('plan', 'set', 'Not A Name')).rejects.toThrow(/must be lower-case/);
  await expect(say('purchase', 'retry', 'none')).rejects.toThrow('no such event');
  await expect(say('purchase', 'dismiss', 'none')).rejects.toThrow('no such event');
  await expect(say('mail', 'retry', 'none')).rejects.toThrow('no such mail');
});

// Guarantee: an event can be processed again or set aside, and the log names who did that and who set the plans.
test('an event is set aside, or looked at again', async () => {
  await buy('none', 'e2');
  const [{ id = '' } = {}] = (await say('purchase', 'list', '--outcome', 'unprocessed')).json as {
    id: string;
  }[];
  expect((await say('purchase', 'retry', id)).text).toBe('The event is unprocessed.\n');
  await say('purchase', 'dismiss', id);
  expect((await say('purchase', 'list', '--outcome', 'unprocessed')).json).toEqual([]);
  await say('plan', 'remove', 'yearly');
  const events = await shop.portal.context.vendorArea.events.ofVendor({ limit: 10 });
  expect(events.map(({ kind, subject, actorName }) => [kind, subject, actorName])).toEqual([
    ['plan_removed', 'yearly', 'command line'],
    ['purchase_dismissed', id, 'command line'],
    ['plan_set', 'yearly', 'command line'],
  ]);
});
