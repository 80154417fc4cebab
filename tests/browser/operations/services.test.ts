import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServicesResult, ServicesStatus } from '#contracts/desktop/desktop-services.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';

import type { PageOptions } from '#harness/panel.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;

beforeAll(async () => {
  panel = await openTestPanel();
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

const inApp: ServicesStatus = {
  mode: 'app',
  obstacle: null,
  services: null,
  access: 'own',
  work: null,
  last: null,
};
const asServices = (state: 'running' | 'stopped', more: Partial<ServicesStatus> = {}): ServicesStatus => ({
  ...inApp,
  mode: 'services',
  access: 'kept',
  services: [
    { component: 'postgres', service: 'Castellan-Postgres', state },
    { component: 'api', service: 'Castellan-API', state },
    { component: 'bot', service: 'Castellan-Bot', state },
  ],
  ...more,
});

const stoppedStack = { state: 'stopped', home: 'C:\\x', pid: 1, heldBy: 'x', apiUrl: '', components: [] };

/** The answers of the desktop on Windows to its pages; the page itself is the real one. */
const onWindows = async (status: ServicesStatus, options: PageOptions = {}): Promise<Page> => {
  const page = await panel.page(options);
  await page.addInitScript(
    ([first, liveOrigin, stopped]) => {
      const bridge = {
        liveOrigin,
        isWindows: true,
        status: first,
        asked: [] as string[],
        listeners: new Map<string, (event: unknown) => void>(),
        async call(name: string) {
          if (name === 'services.status') return { ok: true, value: bridge.status };
          if (name === 'firstRun.state') return { ok: true, value: null };
          if (name === 'firstRun.isOwnerLeft') return { ok: true, value: false };
          if (name === 'stack.status') return { ok: true, value: stopped };
          if (!name.startsWith('services.')) return { ok: false, message: 'not asked here' };
          bridge.asked.push(name);
          return { ok: true, value: { outcome: 'done' } };
        },
        on(name: string, listener: (event: unknown) => void) {
          bridge.listeners.set(name, listener);
          return () => undefined;
        },
      };
      Object.assign(globalThis, { castellan: bridge });
    },
    [status, panel.info.apiUrl.replace(/^http/, 'ws'), stoppedStack] as const,
  );
  await page.reload();
  if (options.as === null) return page;
  await page.goto('/#/computer/services');
  await page.getByRole('heading', { name: /Windows/, level: 2 }).waitFor();
  return page;
};

const become = (page: Page, status: ServicesStatus) =>
  page.evaluate((next) => {
    const bridge = Reflect.get(globalThis, 'castellan') as {
      status: unknown;
      listeners: Map<string, (event: unknown) => void>;
    };
    bridge.status = next;
    bridge.listeners.get('services.progress')?.(next);
  }, status);
const asked = (page: Page) =>
  page.evaluate(() => (Reflect.get(globalThis, 'castellan') as { asked: string[] }).asked);

// Guarantee: the change to services is explained first, shown step by step, and its end is reported.
test('to the services', async () => {
  const page = await onWindows(inApp);
  await page.getByText('Castellan runs in this program').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Run as Windows Services …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run as Windows Services?' });
  await dialog.getByText('Windows asks for administrator permission').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run as services' }).click();
  await expect.poll(() => asked(page)).toEqual(['services.install']);

  await become(page, { ...inApp, work: { act: 'install', step: { kind: 'create', component: 'api' } } });
  await page.getByRole('status').getByText('Creating the service for the API …').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Run as Windows Services …' }).isDisabled())
    .toBe(true);
  await become(page, asServices('running', { last: { act: 'install', result: { outcome: 'done' } } }));
  await page.getByText('Castellan now runs as Windows Services.').waitFor();
  await page.getByText('Castellan-Bot: running').waitFor();
  await page.getByRole('button', { name: 'Remove the services …' }).waitFor();
  await expectAccessible(page);
  await page.close();
});

const undone: ServicesResult = {
  outcome: 'undone',
  step: { kind: 'create', component: 'bot' },
  fault: 'marked-for-deletion',
  detail: 'Castellan-Bot: it is marked for deletion',
  left: [{ step: { kind: 'delete', component: 'api' }, detail: 'Windows answers 5' }],
};

// Guarantee: each refusal says in plain words, in both languages, what happened to the installation and what helps.
test.each([
  ['en-US', 0],
  ['pt-BR', 1],
] as const)('refusals in %s', async (locale, language) => {
  const refusals: readonly (readonly [ServicesResult, readonly [string, string]])[] = [
    [
      { outcome: 'refused' },
      [
        'Administrator permission was denied. Everything keeps running',
        'A permissão de administrador foi negada. Tudo continua rodando',
      ],
    ],
    [{ outcome: 'impossible' }, ['A policy on this computer', 'Uma política deste computador']],
    [
      { outcome: 'taken', names: [{ service: 'Castellan-API', home: 'D:\\Other' }] },
      ['belongs to the Castellan in D:\\Other', 'pertence ao Castellan em D:\\Other'],
    ],
    [undone, ['sign out or restart Windows', 'saia da conta ou reinicie o Windows']],
    [
      { outcome: 'failed', fault: 'needs-elevation', detail: 'x' },
      ['does not have enough permissions', 'não tem permissões suficientes'],
    ],
    [
      {
        ...{ outcome: 'failed', fault: 'other', detail: 'x' },
        answer: { asked: 'sc start Castellan-API', code: 1069 },
      },
      ['lacks the right “Log on as a service”', 'falta o direito “Fazer logon como um serviço”'],
    ],
  ];
  const page = await onWindows(inApp, { locale });
  for (const [result, texts] of refusals) {
    await become(page, { ...inApp, last: { act: 'install', result } });
    await page.getByRole('alert').getByText(texts[language], { exact: false }).waitFor();
    await expectAccessible(page);
  }
  await page.close();
});

// Guarantee: services that cannot be created here are not offered, and the page says why; stopped ones can be started, and a
// desktop without a key can ask for one.
test('what stands in the way', { tags: ['night'] }, async () => {
  const page = await onWindows(
    { ...inApp, obstacle: { kind: 'not-per-machine', detail: 'C:\\Users\\eva\\node.exe' } },
    { look: lookOfTier('dark') },
  );
  await page.getByText('is not installed for all users').waitFor();
  expect(await page.getByRole('button', { name: 'Run as Windows Services …' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await become(page, asServices('stopped', { access: 'refused' }));
  await page.getByText('was revoked').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Give this desktop access …' }).click();
  await expect.poll(() => asked(page)).toEqual(['services.start', 'services.access']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Castellan-API: stopped').waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
});

// Guarantee: a desktop that the services' API does not know asks for no password that would not help, but says who can let it in,
// and keeps saying so when that was refused.
test('a desktop without a key', async () => {
  const missing = asServices('running', { access: 'missing' });
  const page = await onWindows(missing, { as: null });
  await page.getByRole('heading', { name: 'Give this desktop access', level: 1 }).waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Give this desktop access …' }).click();
  await expect.poll(() => asked(page)).toEqual(['services.access']);
  await become(page, { ...missing, last: { act: 'access', result: { outcome: 'refused' } } });
  await page.getByRole('alert').getByText('Administrator permission was denied').waitFor();
  await expectAccessible(page);
  await page.close();
});

// Guarantee: a user who cannot reach the panel because an installation of services was interrupted can finish or undo it.
test('half an installation', async () => {
  const half = asServices('stopped');
  const [first, ...others] = half.services ?? [];
  const page = await onWindows(
    { ...half, services: [...(first ? [{ ...first, state: 'absent' as const }] : []), ...others] },
    { as: null },
  );
  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Finish installing the services …' }).click();
  await page.getByRole('button', { name: 'Remove the services …' }).click();
  await expect.poll(() => asked(page)).toEqual(['services.install', 'services.uninstall']);
  await expectAccessible(page);
  await page.close();
});
