import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

// Guarantee: a person's name is shown as text, never as markup.
test('HTML in an event is shown as text', async () => {
  const name = '<img src=x onerror="document.title=1"><h1>owned</h1>';
  await panel.newAdmin({ role: 'viewer', name });
  const { status } = await fetch(panel.info.apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password: 'not the password' }),
  });
  expect(status).toBe(401);
  const page = await panel.page({ path: '/events?kind=login.failed' });
  const row = page.getByRole('list', { name: 'Events', exact: true }).getByRole('listitem');
  await row.filter({ hasText: '<h1>owned</h1>' }).getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(name).first().waitFor();
  expect(await page.locator('img[src="x"], h1:text("owned")').count()).toBe(0);
  expect(await page.title()).not.toBe('1');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator(':focus').textContent()).toContain('owned');
  await page.close();
});
