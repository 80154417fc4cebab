import { afterAll, beforeAll, test } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import type { Look } from '#harness/browser.ts';
import { type CustomerPages, openCustomerPages } from '#harness/customer-pages.ts';

let customers: CustomerPages;

beforeAll(async () => {
  customers = await openCustomerPages();
});
afterAll(async () => {
  await customers?.[Symbol.asyncDispose]();
});

/** Both languages in both color schemes, and each on a phone. */
const everyLook: readonly (readonly [Look, Language])[] = [
  ['light', 'en'],
  ['light', 'pt-BR'],
  ['dark', 'en'],
  ['dark', 'pt-BR'],
  ['phone', 'pt-BR'],
  ['dark phone', 'en'],
];

// Guarantee: every page of the customer area passes axe and fits the window, down to 320 px, in every look and language.
test.each(everyLook)('every page, %s, %s', { timeout: 400_000 }, (how, language) =>
  customers.everyPage(how, language),
);
