import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiPanel, openApiPanel, typeSignIn } from '#harness/api-panel.ts';
import { looks, overflows } from '#harness/browser.ts';
import { picture, speak } from '#harness/every-look.ts';
import { insertServers } from '../../../server/servers/console/testing/servers-in-use.ts';

let panel: ApiPanel;
beforeAll(async () => {
  panel = await openApiPanel();
}, 60_000);
afterAll(() => panel?.[Symbol.asyncDispose]());

const query = (text: string) => panel.api.context.database.pool.query(text);
const signIn = async (name: string, options: Parameters<ApiPanel['open']>[1] = {}) => {
  const page = await panel.open('/', options);
  await typeSignIn(page, await panel.newAdmin(name, 'owner'));
  return page;
};
const needs = (page: Page) => page.getByRole('region', { name: /^(Needs you|Precisa de você)$/ });

// Guarantee: what waits is named on the overview with its page, counted in the navigation and found in the palette, and leaves all of
// them by itself once it is dealt with.
test('an external order and a restored world', async () => {
  await insertServers(panel.api.context.database.db, ['fjord']);
  await query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
     values ('shop', 'generic', 'Shop', true, 'minecraft', false, false)`,
  );
  await query(
    `insert into shop_orders (id, shop_id, external_id, refs, state, created_at)
     values ('one', 'shop', 'one', '{}', 'person', now() - interval '3 hours'),
            ('two', 'shop', 'two', '{}', 'waiting', now())`,
  );
  await query(
    `insert into server_saves (server_id, list, listed_at, nightly_failure_at)
     values ('fjord', '{"backups": [], "unconfirmed": "2026-01-02T03-04-05Z", "nightly": null, "freeBytes": null}', now(), now())`,
  );
  const page = await signIn('Ada');
  await needs(page).getByRole('link', { name: '2 external orders wait' }).waitFor();
  await page.getByRole('link', { name: 'External shops (2 things wait for you)' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /2 external orders wait/ }).waitFor();
  await picture(page, 'waiting-palette');
  await page.keyboard.press('Escape');
  expect(await overflows(page)).toBe(false);
  await picture(page, 'waiting-light');
  await query(`update shop_orders set state = 'set-aside'`);
  await needs(page).getByRole('link', { name: '2 external orders wait' }).waitFor({ state: 'detached' });
  await needs(page).getByRole('link', { name: '1 restored world is not confirmed' }).click();
  await page.waitForURL(/#\/servers\/fjord\/saves/);
  await page.close();
  if (process.env.CASTELLAN_TEST_PICTURES === undefined) return;
  for (const look of ['dark', 'phone'] as const) {
    const other = await signIn(`Ada, ${look}`, looks[look]);
    await needs(other).getByRole('link').first().waitFor();
    await picture(other, `waiting-${look}`);
    await speak(other, 'pt-BR');
    await needs(other).getByRole('link', { name: /mundo/ }).first().waitFor();
    await picture(other, `waiting-${look}-pt-BR`);
    await other.close();
  }
});
