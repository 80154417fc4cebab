// @module-tag browser

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DesktopCallName } from '#contracts/desktop.ts';
import type { DataFolderState } from '#contracts/desktop-data-folder.ts';
import type { NetworkState } from '#contracts/desktop-network.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import type { PageOptions } from '#harness/panel.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');

let panel: TestPanel;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  panel = await openTestPanel();
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

const network: NetworkState = {
  apiPort: 3001,
  postgresPort: 5440,
  isOpen: true,
  ownHost: null,
  hasTls: false,
  apiUrls: ['http://192.168.1.5:3001'],
  firewall: 'missing',
  firewallCommand: 'netsh advfirewall firewall add rule name=Castellan-API-3001 dir=in action=allow',
  news: null,
  isChanging: false,
  isService: false,
};
const data: DataFolderState = { home: 'D:\\Castellan', fixedBy: null, news: null, kept: null, half: null };

type Answers = Partial<Record<DesktopCallName, unknown>>;

/** What the desktop on Windows says to its pages; the page itself is the real one. */
const onWindows = async (answers: Answers, section: string, options: PageOptions = {}): Promise<Page> => {
  const page = await panel.page(options);
  await page.addInitScript(
    ([told, liveOrigin]) => {
      const usual = { 'firstRun.state': null, 'firstRun.isOwnerLeft': false, 'dataFolder.progress': null };
      const values = new Map(Object.entries({ ...usual, ...told }));
      const bridge = {
        liveOrigin,
        isWindows: true,
        call: async (name: string) =>
          values.has(name) ? { ok: true, value: values.get(name) } : { ok: false, message: 'not asked here' },
        on: () => () => undefined,
      };
      Object.assign(globalThis, { castellan: bridge });
    },
    [answers, panel.info.apiUrl.replace(/^http/, 'ws')] as const,
  );
  await page.reload();
  await page.goto(`/#/computer/${section}`);
  await page.locator('#content section').first().waitFor();
  return page;
};
const looksWell = async (page: Page, name: string) => {
  expect(await axeViolations(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
  await page.screenshot({ path: join(pictures, `computer-${name}.png`), fullPage: true });
};

const languages = [
  ['en-US', 0],
  ['pt-BR', 1],
] as const;

// Guarantee: a firewall that keeps others out is told, with a way to mend it, and by hand where Windows asks nobody.
test.each(languages)('the firewall of Windows in %s', async (locale, language) => {
  const answers: Answers = {
    'network.state': network,
    'network.mendFirewall': { outcome: 'impossible', state: network },
  };
  const page = await onWindows(answers, 'network', { locale });
  await page
    .getByText(['they do not reach Castellan', 'elas não alcançam o Castellan'][language] ?? '')
    .waitFor();
  await page.getByRole('button', { name: ['Make the rule', 'Criar a regra'][language] ?? '' }).click();
  await page.getByText('netsh advfirewall firewall add rule').waitFor();
  await looksWell(page, `firewall-${locale}`);
  await page.close();
});

// Guarantee: where Windows Services run it, these settings are not offered, and it is said what to do.
test('services have these settings', async () => {
  const isService = { 'network.state': { ...network, isService: true } };
  const page = await onWindows(isService, 'network');
  await page.getByText('these settings are an administrator’s').waitFor();
  expect(await page.locator('#content form').count()).toBe(0);
  await looksWell(page, 'network-service');
  await page.close();
});

// Guarantee: what became of a move, and what it left, is told in either language.
test.each(languages)('what a move left, in %s', async (locale, language) => {
  const kept = { folder: 'C:\\ProgramData\\Castellan', bytes: 1_400_000_000, isDeletable: false };
  const news = { outcome: 'went-back', detail: 'Postgres cannot reach D:\\Castellan' } as const;
  const left = { ...data, news, kept, half: 'E:\\Castellan' } satisfies DataFolderState;
  const page = await onWindows({ 'dataFolder.state': left }, 'data', { locale });
  const backWords = ['the old one is in use again', 'a antiga está em uso de novo'];
  await page
    .getByRole('alert')
    .getByText(backWords[language] ?? '')
    .waitFor();
  const deleteWords = ['Delete the old folder …', 'Apagar a pasta antiga …'];
  expect(await page.getByRole('button', { name: deleteWords[language] ?? '' }).isDisabled()).toBe(true);
  await page.getByText('E:\\Castellan').waitFor();
  await looksWell(page, `data-${locale}`);
  await page.close();
});
