import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ShopEvent } from '../../server/storefronts/shops/shop-event.ts';
import { readStripeEvent } from '../../server/storefronts/shops/stripe-event.ts';
import { readTebexEvent } from '../../server/storefronts/shops/tebex-event.ts';
import { changedInputsTimeout, checkChanged } from './changed-inputs.ts';
import { mutated, mutations } from './mutate.ts';
import { webhookCases } from './webhooks.cases.ts';

const folder = join(import.meta.dirname, 'webhooks');
const names = Object.keys(webhookCases);
const contentOf = (name: string) => readFileSync(join(folder, name));
const read = (name: string, text: string): ShopEvent => {
  const body: unknown = JSON.parse(text);
  return name.startsWith('stripe-')
    ? readStripeEvent(body)
    : readTebexEvent(body, webhookCases[name]?.game ?? 'minecraft').event;
};

const shown = ({ refs, facts }: ShopEvent) => {
  const { kind, lines, receiver, amount, isTest } = facts;
  const bought = Object.fromEntries((lines ?? []).map(({ product, quantity }) => [product, quantity]));
  return {
    kind,
    refs: refs.map((ref) => ref.replace(/^(?:stripe|order):/, '')),
    ...(kind === 'paid' && {
      lines: bought,
      receiver: receiver ? `${receiver.kind} ${receiver.text}` : null,
      amount: amount ? `${amount.value} ${amount.currency}` : null,
    }),
    ...(isTest && { isTest }),
  };
};

// Guarantee: each shape of an event that shops send, of every version that is known, is read as what it says.
test('every file has its line', () => {
  expect(readdirSync(folder).sort()).toEqual(names.sort());
});

test.each(Object.entries(webhookCases))('%s', (name, { source: _, game: __, ...expected }) => {
  const text = contentOf(name).toString();
  expect(shown(read(name, text))).toEqual(expected);
});

// Guarantee: no change of an event makes a reader fail other than by naming the field, or makes a purchase of what is none.
test('changed events', { timeout: changedInputsTimeout }, () =>
  checkChanged('webhooks', fc.tuple(fc.constantFrom(...names), mutations), ([name, changes]) => {
    const text = mutated(contentOf(name), changes).toString();
    try {
      const { facts } = read(name, text);
      if (webhookCases[name]?.kind === 'nothing' && facts.kind === 'paid')
        expect(text).toMatch(/"paid"|subscription_cycle|payment\.completed/);
    } catch (error) {
      if (!(error instanceof SyntaxError)) expect(error).toBeInstanceOf(z.ZodError);
    }
  }),
);
