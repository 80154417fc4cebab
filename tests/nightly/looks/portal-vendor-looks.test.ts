import { afterAll, beforeAll, test } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { type Look, looks } from '#harness/browser.ts';
import { openVendorPages, type VendorPages } from '#harness/vendor-pages.ts';

let vendor: VendorPages;

beforeAll(async () => {
  vendor = await openVendorPages();
});
afterAll(async () => {
  await vendor?.[Symbol.asyncDispose]();
});

/** axe is slow on a busy machine. */
const manyPages = { timeout: 400_000 };
const everyLook = Object.keys(looks) as Look[];
/** The languages in which the pages are checked. */
const spoken: Readonly<Record<Look, readonly Language[]>> = {
  light: ['en', 'pt-BR'],
  dark: ['en', 'pt-BR'],
  phone: ['en'],
  'dark phone': ['pt-BR'],
};

// Guarantee: sign-in and the values that are shown once pass axe and fit the window, light and dark, on a desktop and a phone.
test.each(everyLook)('signing in, %s', manyPages, (how) => vendor.signIn(how));

const everyLookSpoken = everyLook.flatMap((how) => spoken[how].map((language) => [how, language] as const));

// Guarantee: so does every vendor page, in each of its languages, with tables shown and with names and reasons of any script and
// length.
test.each(everyLookSpoken)('every page, %s, %s', manyPages, (how, language) =>
  vendor.everyPage(how, language),
);

// Guarantee: so do the pages of the first start, with and without a token.
test.each(everyLook)('the first start, %s', manyPages, (how) => vendor.firstStart(how));
