import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { problems } from '#contracts/kernel/problems.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { expectAccessible } from '#harness/every-look.ts';

import { signInToApi } from '#harness/panel-api.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel({ servers: ['The Quarry', 'Fjordland', 'Navezgane'] });
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const adminNamed = async (name: string) => {
  const { rows } = await panel.call(adminsHttp.list, {});
  return rows.find((row) => row.name === name);
};

/** A new viewer, and a way for another admin to change them. */
const someAdmin = async () => {
  const { name } = await panel.newAdmin({ role: 'viewer' });
  const { id = '' } = (await adminNamed(name)) ?? {};
  const asNow = async () => (await panel.call(adminsHttp.list, {})).rows.find((row) => row.id === id);
  const byAnother = async (change: { readonly name?: string; readonly role?: string }) => {
    const version = (await asNow())?.version ?? 0;
    return panel.call(adminsHttp.change, { params: { id }, body: { version, ...change } });
  };
  /**
   * Another admin changes them while the page's own next change is on its way: any earlier, the page might read it by itself.
   * @returns what the other admin has saved
   */
  const othersFirst = async (page: Page, change: Parameters<typeof byAnother>[0]) => {
    let saved: Admin | undefined;
    await page.route(
      `**/api/admins/${id}`,
      async (route) => {
        saved = await byAnother(change);
        await route.continue();
      },
      { times: 1 },
    );
    return () => saved;
  };
  return { id, name, path: `/admins/${id}`, asNow, othersFirst };
};

// Guarantee: an admin created in the panel can sign in with the password that was shown once, and sees only the granted server.
test('a new admin for one server', async () => {
  const [granted, ...others] = panel.info.servers;
  const owner = await panel.page({ path: '/admins' });
  await owner.getByRole('button', { name: 'New admin' }).first().click();
  const form = owner.getByRole('dialog');
  await form.getByLabel('Name').fill('<b>Ana</b> אנה');
  const password = await form.getByLabel('Password', { exact: false }).first().inputValue();
  await form.getByRole('combobox', { name: 'Role', exact: true }).click();
  await owner.getByRole('option', { name: 'No role' }).click();
  await form.getByPlaceholder('Add server').click();
  await owner.getByRole('option', { name: granted?.name ?? '' }).click();
  await expectAccessible(owner);
  await form.getByRole('button', { name: 'New admin' }).click();
  const shown = owner.getByRole('dialog', { name: 'can sign in now' });
  await shown.getByText(password, { exact: true }).waitFor();
  await expectAccessible(owner);
  await shown.getByRole('button', { name: 'Done' }).click();
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
  await page.getByText('You cannot open this page').waitFor();
  await Promise.all([owner.close(), page.close()]);
});

// Guarantee: the last owner cannot be disabled, removed or demoted, and the panel says why; typed values stay.
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

// Guarantee: a reset password works, earlier sessions have ended, and a disabled admin cannot sign in.
test('a reset password, a disabled admin', { tags: ['night'] }, async () => {
  const credentials = await panel.newAdmin({ role: 'viewer' });
  const before = await signInToApi(panel.info.apiUrl, credentials);
  const { id } = (await adminNamed(credentials.name)) ?? { id: '' };
  const page = await panel.page({ path: `/admins/${id}` });
  await page.getByRole('button', { name: 'Reset password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: false }).first().fill('chosen by a test');
  await dialog.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Not signed in anywhere.').waitFor();
  await expect(before.call(rolesHttp.list, {})).rejects.toMatchObject({ status: 401 });
  await signInToApi(panel.info.apiUrl, { name: credentials.name, password: 'chosen by a test' });

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  expect(await adminNamed(credentials.name)).toMatchObject({ disabled: true });
  await page.close();
});

// Guarantee: the permissions of a role can be chosen without a mouse, in the order on the screen.
test('a role by keyboard', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/roles' });
  await page.getByRole('button', { name: 'New role' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Console keeper');
  await page.keyboard.press('Tab');
  // All permissions for games except changing servers, starting and stopping them, restoring saves, and changing mods.
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText('8 permissions selected').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('columnheader', { name: 'Console keeper' }).waitFor();
  const { rows } = await panel.call(rolesHttp.list, {});
  expect(rows.find(({ name }) => name === 'Console keeper')?.permissions).toEqual([
    'servers.read',
    'saves.read',
    'mods.read',
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

// Guarantee: an admin who manages admins without being an owner is offered nothing that the API would refuse.
test('nobody is offered more than is theirs', { tags: ['night'] }, async () => {
  const permissions = ['admins.read', 'admins.write', 'stack.read'] as const;
  const role = await panel.call(rolesHttp.create, {
    body: { name: 'Keeper', permissions: [...permissions] },
  });
  const { id } = (await adminNamed(panel.info.admin.name)) ?? { id: '' };
  const page = await panel.page({ as: await panel.newAdmin({ role: role.id }), path: `/admins/${id}` });
  await page.getByText('so you can’t change, disable or remove them', { exact: false }).waitFor();
  for (const act of ['Save', 'Disable', 'Remove', 'Reset password'])
    expect(await page.getByRole('button', { name: act }).count()).toBe(0);
  await goTo(page, '/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  const boxes = page.getByRole('dialog');
  expect(await boxes.getByLabel('Change settings').isDisabled()).toBe(true);
  expect(await boxes.getByLabel('View admins, roles and sessions').isDisabled()).toBe(false);
  await page.close();
});

// Guarantee: a role that another admin has saved first is not overwritten silently: the typed values stay, theirs are
// shown, and the user chooses one of the two.
test('two people change a role', { tags: ['night'] }, async () => {
  const role = await panel.call(rolesHttp.create, {
    body: { name: 'Night crew', permissions: ['players.read'] },
  });
  const theirs = { name: 'Late crew', permissions: ['players.read' as const, 'logs.read' as const] };
  const asNow = async () => (await panel.call(rolesHttp.list, {})).rows.find(({ id }) => id === role.id);
  const page = await panel.page({ path: '/roles' });
  await page.getByRole('button', { name: 'Edit Night crew' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit role' });
  const name = dialog.getByLabel('Name');
  await name.fill('Dawn crew');
  await dialog.getByLabel('View game servers').check();
  const saved = await panel.call(rolesHttp.change, {
    params: { id: role.id },
    body: { version: role.version, ...theirs },
  });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = dialog.getByRole('alert');
  await notice.getByText('Another person changed this role while you were editing').waitFor();
  await notice.getByText('Late crew', { exact: true }).waitFor();
  await notice.getByText('View logs and diagnostics').waitFor();
  await notice.getByText('View game servers').waitFor();
  await expectAccessible(page);
  expect(await name.inputValue()).toBe('Dawn crew');
  expect(await dialog.getByLabel('View game servers').isChecked()).toBe(true);
  expect(await asNow()).toEqual(saved);

  await notice.getByRole('button', { name: 'Use their version' }).click();
  await name.and(page.locator(':focus')).waitFor();
  expect(await name.inputValue()).toBe('Late crew');
  expect(await dialog.getByLabel('View game servers').isChecked()).toBe(false);
  await name.fill('Dawn crew');
  await panel.call(rolesHttp.change, {
    params: { id: role.id },
    body: { ...theirs, version: saved.version, name: 'Noon crew' },
  });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await notice.getByText('Noon crew', { exact: true }).waitFor();
  await notice.getByRole('button', { name: 'Save my version' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await asNow()).toMatchObject({ name: 'Dawn crew', permissions: ['logs.read', 'players.read'] });
  await page.close();
});

// Guarantee: the same for an admin if both changed the same field; a field that only one of them changed is kept without asking.
test('two people change an admin', { tags: ['night'] }, async () => {
  const { id, name, path, asNow, othersFirst } = await someAdmin();
  const page = await panel.page({ path });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'Another person changed this admin while you were editing' });
  const role = page.getByRole('combobox', { name: 'Role', exact: true });
  const choose = async (option: string) => {
    await role.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  await choose('Moderator');
  const theirs = await othersFirst(page, { name: `${name} anew`, role: 'admin' });
  await save.click();
  await notice.getByText('Current: Administrator').waitFor();
  await notice.getByText('Yours: Moderator').waitFor();
  await expectAccessible(page);
  expect(await role.inputValue()).toBe('Moderator');
  expect(await asNow()).toEqual(theirs());
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await notice.waitFor({ state: 'detached' });
  await expect.poll(() => role.inputValue()).toBe('Administrator');
  expect(await save.isDisabled()).toBe(true);

  await choose('Moderator');
  await othersFirst(page, { role: 'viewer' });
  await save.click();
  await notice.getByRole('button', { name: 'Save my version' }).click();
  await expect.poll(asNow).toMatchObject({ id, name: `${name} anew`, role: 'moderator' });
  await notice.waitFor({ state: 'detached' });

  await choose('Viewer');
  await othersFirst(page, { name });
  await save.click();
  await notice.getByText('The other person changed something else', { exact: false }).waitFor();
  expect(await asNow()).toMatchObject({ role: 'moderator' });
  await save.click();
  await expect.poll(asNow).toMatchObject({ name, role: 'viewer' });
  await notice.waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: disabling an admin whom another admin has just changed shows, in the user's language, that change and the current
// values first; the user's own actions outside a form do not count as another admin's change.
test('disabling an admin from an old page', { tags: ['night'] }, async () => {
  const { path, asNow, othersFirst } = await someAdmin();
  const page = await panel.page({ path, locale: 'pt-BR' });
  const role = page.getByRole('combobox', { name: 'Função', exact: true });
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'Outra pessoa alterou este administrador enquanto você editava' });
  await expect.poll(() => role.inputValue()).toBe('Observador');
  await othersFirst(page, { role: 'moderator' });
  await page.getByRole('button', { name: 'Desativar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Desativar' }).click();
  await dialog.getByRole('alert').getByText('Alterado por outra pessoa').waitFor();
  await expect.poll(() => role.inputValue()).toBe('Moderador');
  expect(await asNow()).toMatchObject({ disabled: false });
  await dialog.getByRole('button', { name: 'Desativar' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await asNow()).toMatchObject({ role: 'moderator', disabled: true });

  await page.getByRole('textbox', { name: 'Nome' }).fill('Ana B');
  await page.getByRole('button', { name: 'Ativar', exact: true }).click();
  await page.getByRole('button', { name: 'Desativar' }).waitFor();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect.poll(asNow).toMatchObject({ name: 'Ana B', disabled: false });
  expect(await notice.count()).toBe(0);

  await page.getByRole('textbox', { name: 'Nome' }).fill('Ana C');
  await othersFirst(page, { name: 'Ana D' });
  await page.getByRole('button', { name: 'Salvar' }).click();
  await notice.getByText('Atual: Ana D').waitFor();
  await notice.getByRole('button', { name: 'Salvar a minha versão' }).click();
  await expect.poll(asNow).toMatchObject({ name: 'Ana C' });
  await page.close();
});

// Guarantee: an API key is shown once, works immediately for its permissions and nothing else, and stops working when revoked.
test('an API key', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/api-keys' });
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Backup script');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText('Select at least one permission.').waitFor();
  await form.getByLabel('View all API keys').check();
  await form.getByLabel('Days until it expires').fill('10');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create key' }).click();
  const field = page.getByLabel('API key', { exact: true });
  const key = await field.inputValue();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
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
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  expect(await asKey(apiKeysHttp.list.path)).toBe(401);
  await page.close();
});

// Guarantee: no page failed during these tests.
test('no faults', () => expect(panel.faults()).toEqual([]));
