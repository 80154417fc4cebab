import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/admins.ts';
import { apiKeysHttp } from '#contracts/api-keys.ts';
import { clustersHttp } from '#contracts/clusters.ts';
import { problems } from '#contracts/problems.ts';
import { rolesHttp } from '#contracts/roles.ts';
import { axeViolations } from '#harness/browser.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { signInToApi } from '#harness/panel-api.ts';
import { goTo } from '#harness/panel-pages.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const adminNamed = async (name: string) => {
  const { rows } = await panel.call(adminsHttp.list, {});
  return rows.find((row) => row.name === name);
};

// Guarantee: an admin made in the panel can sign in with what was shown once, and sees the one server that was granted and no other.
test('a new admin for one server', async () => {
  const [granted, ...others] = panel.info.servers;
  const owner = await panel.page({ path: '/admins' });
  await owner.getByRole('button', { name: 'New admin' }).first().click();
  const form = owner.getByRole('dialog');
  await form.getByLabel('Name').fill('<b>Ana</b> אנה');
  const password = await form.getByLabel('Password', { exact: false }).first().inputValue();
  await form.getByRole('combobox', { name: 'Role', exact: true }).click();
  await owner.getByRole('option', { name: 'No role' }).click();
  await form.getByPlaceholder('Add a server').click();
  await owner.getByRole('option', { name: granted?.name ?? '' }).click();
  expect(await axeViolations(owner)).toEqual([]);
  await form.getByRole('button', { name: 'New admin' }).click();
  const shown = owner.getByRole('dialog', { name: 'can sign in now' });
  await shown.getByText(password, { exact: true }).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await shown.getByRole('button', { name: 'I have it' }).click();
  await owner.getByRole('link', { name: '<b>Ana</b> אנה' }).waitFor();
  expect(await owner.content()).not.toContain(password);

  const made = await adminNamed('<b>Ana</b> אנה');
  expect(made).toMatchObject({ role: null, serverGrants: [{ serverId: granted?.id, role: 'moderator' }] });
  const page = await panel.page({ as: { name: '<b>Ana</b> אנה', password }, path: '/servers' });
  await page
    .getByText(granted?.name ?? '')
    .first()
    .waitFor();
  for (const { name } of others) expect(await page.getByText(name).count()).toBe(0);
  await goTo(page, '/admins');
  await page.getByText('You may not see this page').waitFor();
  await Promise.all([owner.close(), page.close()]);
});

// Guarantee: the last owner cannot be disabled, removed or made less, and is told why; what was typed stays.
test('the last owner', async () => {
  const page = await panel.page({ path: '/admins' });
  await page.getByRole('link', { name: panel.info.admin.name }).first().click();
  for (const act of ['Disable', 'Remove']) {
    await page.getByRole('button', { name: act }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: act }).click();
    await dialog.getByText(problems.LAST_OWNER.remedy).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText(problems.LAST_OWNER.remedy).waitFor();
  expect(await adminNamed(panel.info.admin.name)).toMatchObject({ role: 'owner', disabled: false });
  await page.close();
});

// Guarantee: a password that was reset works, the sessions of before have ended, and a disabled admin cannot sign in.
test('a reset password, a disabled admin', async () => {
  const credentials = await panel.newAdmin({ role: 'viewer' });
  const before = await signInToApi(panel.info.apiUrl, credentials);
  const { id } = (await adminNamed(credentials.name)) ?? { id: '' };
  const page = await panel.page({ path: `/admins/${id}` });
  await page.getByRole('button', { name: 'New password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: false }).first().fill('chosen by a test');
  await dialog.getByRole('button', { name: 'New password' }).click();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('Signed in nowhere.').waitFor();
  await expect(before.call(rolesHttp.list, {})).rejects.toMatchObject({ status: 401 });
  await signInToApi(panel.info.apiUrl, { name: credentials.name, password: 'chosen by a test' });

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  expect(await adminNamed(credentials.name)).toMatchObject({ disabled: true });
  await page.close();
});

// Guarantee: the permissions of a role are chosen without a mouse, as they stand on the screen.
test('a role by keyboard', async () => {
  const page = await panel.page({ path: '/roles' });
  await page.getByRole('button', { name: 'New role' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type('Console keeper');
  await page.keyboard.press('Tab');
  // All of the games, without changing servers.
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText('6 permissions chosen').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('columnheader', { name: 'Console keeper' }).waitFor();
  const { rows } = await panel.call(rolesHttp.list, {});
  expect(rows.find(({ name }) => name === 'Console keeper')?.permissions).toEqual([
    'servers.read',
    'console.read',
    'console.write',
    'players.read',
    'players.write',
    'agents.write',
  ]);
  await page.getByRole('button', { name: 'Remove Console keeper' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect
    .poll(async () => (await panel.call(rolesHttp.list, {})).rows.some(({ builtIn }) => !builtIn))
    .toBe(false);
  await page.close();
});

// Guarantee: whoever manages admins without being an owner is offered nothing that the API would refuse.
test('nobody is offered more than is theirs', async () => {
  const permissions = ['admins.read', 'admins.write', 'stack.read'] as const;
  const role = await panel.call(rolesHttp.create, {
    body: { name: 'Keeper', permissions: [...permissions] },
  });
  const { id } = (await adminNamed(panel.info.admin.name)) ?? { id: '' };
  const page = await panel.page({ as: await panel.newAdmin({ role: role.id }), path: `/admins/${id}` });
  await page.getByText('so you cannot change, disable or remove them', { exact: false }).waitFor();
  for (const act of ['Save', 'Disable', 'Remove', 'New password'])
    expect(await page.getByRole('button', { name: act }).count()).toBe(0);
  await goTo(page, '/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  const boxes = page.getByRole('dialog');
  expect(await boxes.getByLabel('Change the settings').isDisabled()).toBe(true);
  expect(await boxes.getByLabel('See admins, roles and their sessions').isDisabled()).toBe(false);
  await page.close();
});

// Guarantee: an API key is shown once, works at once for what it may and nothing else, and is worth nothing once revoked.
test('an API key', async () => {
  const page = await panel.page({ path: '/api-keys' });
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Backup script');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByText('Choose at least one permission.').waitFor();
  await form.getByLabel('See all API keys').check();
  await form.getByLabel('Days until it expires').fill('10');
  expect(await axeViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Make the key' }).click();
  const field = page.getByLabel('API key', { exact: true });
  const key = await field.inputValue();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Expires soon').first().waitFor();
  expect(await page.content()).not.toContain(key);

  const asKey = async (path: string) => {
    const answer = await fetch(panel.info.apiUrl + path, { headers: { Authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await asKey(apiKeysHttp.list.path)).toBe(200);
  expect(await asKey(clustersHttp.list.path)).toBe(403);
  await page.getByText('Backup script').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: 'Revoke “Backup script”?' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('heading', { name: 'No API key yet' }).waitFor();
  expect(await asKey(apiKeysHttp.list.path)).toBe(401);
  await page.close();
});

// Guarantee: none of this made a page fail.
test('no faults', () => expect(panel.faults()).toEqual([]));
