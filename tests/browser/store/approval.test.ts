import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { signInToApi } from '#harness/panel-api.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
}, 180_000);
afterAll(() => panel?.[Symbol.asyncDispose]());

// Guarantee: a product whose approver is gone says why it is not sold, is found by the filter, and is approved there.
test('a product that needs approval', async () => {
  const ada = await panel.newAdmin({ name: 'Ada', role: 'admin' });
  const { call } = await signInToApi(panel.info.apiUrl, ada);
  const { id } = await call(storeHttp.create, {
    body: productDraft.parse({
      name: 'Rank',
      price: 10,
      game: 'minecraft',
      lines: [{ kind: 'command', command: 'lp user {player} parent add vip' }],
    }),
  });
  const { rows } = await panel.call(adminsHttp.list, {});
  const adaId = rows.find(({ name }) => name === ada.name)?.id ?? '';
  await panel.call(adminsHttp.remove, { params: { id: adaId } });
  const page = await panel.page({ path: '/store?approval=needed' });
  await page.getByText('Rank').first().click();
  const notice = page.getByRole('alert').filter({ hasText: 'Ada can no longer use the console' });
  await notice.waitFor();
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await notice.getByRole('button', { name: 'Approve commands' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await panel.call(storeHttp.read, { params: { id } })).toMatchObject({
    approval: { state: 'approved' },
  });
  await page.close();
});
