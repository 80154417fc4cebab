import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPanel, type Panel } from '#harness/panel.ts';
import { goTo, panelAddresses } from '#harness/panel-pages.ts';
import { flaws, flawsOfRefusedList, type Seen, sweep } from '#harness/panel-sweep.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const asSeen: readonly Seen[] = [
  { colorScheme: 'light', language: 'en' },
  { colorScheme: 'dark', language: 'en' },
  // Only one color scheme: Portuguese words are longer, but the colors are the same.
  { colorScheme: 'light', language: 'pt-BR' },
];

// Guarantee: on a desktop and on a phone, in light and dark, in both languages, axe finds nothing on any page, none is wider than
// the window, each has one main heading and its own title, and nothing fails in the background.
test.each(['light', 'phone'] as const)(
  'every page, %s',
  async (look) => {
    expect(await sweep(panel, { look, asSeen })).toEqual([]);
  },
  300_000,
);

// Guarantee: error messages are as accessible as everything else.
test.each(['light', 'dark'] as const)('a list that cannot be read, %s', async (look) => {
  expect(await flawsOfRefusedList(panel, look)).toEqual([]);
});

// Guarantee: axe finds nothing on any page that a viewer sees, and none is wider than the window.
test('every page, as a viewer sees it', async () => {
  const page = await panel.page({ as: await panel.newAdmin({ role: 'viewer' }) });
  const found: string[] = [];
  for (const { path } of panelAddresses(panel.info)) {
    await goTo(page, path);
    for (const flaw of await flaws(page)) found.push(`${path}: ${flaw}`);
  }
  await page.close();
  expect(found).toEqual([]);
}, 300_000);
