import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { expectEveryLook, learnBothLanguages, speak } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
});
afterAll(() => panel?.[Symbol.asyncDispose]());

// Guarantee: what is wrong with a field stands at that field, in the panel's language, and nothing typed or pasted is changed or cut
// off: a number out of range, a paste beyond the limit, an empty field, an address that another server has.
test('faults at their fields', async () => {
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Fields' } });
  const body = { clusterId, name: 'Fjord', game: 'minecraft', host: '192.0.2.7', port: 25_575 } as const;
  await panel.call(gameServersHttp.create, { body });
  const page = await panel.page({ path: '/servers' });
  await learnBothLanguages(page);
  await speak(page, 'pt-BR');
  await page.getByRole('button', { name: 'Adicionar servidor' }).click();
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: /^Adicionar/ });
  const name = dialog.getByLabel('Nome', { exact: false }).first();
  const messageAtFocus = () => page.evaluate('document.activeElement.validationMessage');

  await add.click();
  expect(await messageAtFocus()).toBe('Preencha este campo.');
  await name.fill('Fjord dois');
  await page.evaluate(`(() => {
    const input = document.activeElement;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'x'.repeat(200));
    input.select();
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  expect(await messageAtFocus()).toBe('Não colado: este campo aceita no máximo 80 caracteres.');
  expect(await name.inputValue()).toBe('Fjord dois');
  await name.fill('Fjord dois');
  expect(await messageAtFocus()).toBe('');

  const port = dialog.getByLabel('Porta do console');
  await port.fill('70000');
  await port.blur();
  await dialog.getByText('O maior valor é 65.535.').waitFor();
  expect(await port.inputValue()).toBe('70000');
  await port.fill('25575');
  await dialog.getByRole('textbox', { name: 'Host' }).fill('192.0.2.7.');
  await dialog.getByRole('button', { name: /^Adicionar/ }).click();
  await dialog.getByRole('button', { name: 'Adicionar mesmo assim' }).click({ timeout: 60_000 });
  await dialog.getByText('O servidor “Fjord” já tem este endereço.').first().waitFor();
  await speak(page, 'en');
  await dialog.getByText('The server “Fjord” already has this address.').first().waitFor();
  await expectEveryLook(page, 'fields');
  await page.close();
});
