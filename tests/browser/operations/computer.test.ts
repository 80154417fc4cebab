import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DesktopCallName, DesktopOutput } from '#contracts/desktop/desktop.ts';
import type { DataFolderState } from '#contracts/desktop/desktop-data-folder.ts';
import type { NetworkState } from '#contracts/desktop/desktop-network.ts';
import type { RestoreState } from '#contracts/desktop/desktop-restore.ts';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import type { AddressTest } from '#contracts/operations/outside-addresses.ts';
import { expectTidy } from '#harness/every-look.ts';
import type { PageOptions } from '#harness/panel.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;

beforeAll(async () => {
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
  adapters: { 'http://192.168.1.5:3001': 'Ethernet' },
  firewall: 'missing',
  firewallFaults: [],
  firewallCommand: 'netsh advfirewall firewall add rule name=Castellan-API-3001 dir=in action=allow',
  news: null,
  isChanging: false,
  isService: false,
};
const data: DataFolderState = { home: 'D:\\Castellan', fixedBy: null, news: null, kept: null, half: null };

const reached = {
  fault: null,
  proxy: null,
  passedOver: null,
  signedBy: { name: 'ISRG Root X1', source: 'bundled' },
  clockAheadS: 0,
  tookMs: 84,
} as const;
const addresses: readonly AddressTest[] = [
  { ...reached, kind: 'license-portal', address: 'https://licenses.example.com' },
  {
    ...reached,
    kind: 'discord',
    address: 'https://discord.com',
    proxy: 'proxy.example:8080',
    signedBy: { name: 'Example Company Root', source: 'system' },
    clockAheadS: 7200,
  },
  {
    ...reached,
    kind: 'modrinth',
    address: 'https://api.modrinth.com',
    signedBy: null,
    clockAheadS: null,
    fault: outsideReasons['outside-intercepted']('api.modrinth.com', 'Antivirus Personal Root'),
  },
];
const addressList: DesktopOutput<'addresses.list'> = {
  addresses: addresses.map(({ kind, address }) => ({ kind, address })),
  unreadProxy: 'script',
};

type Answers = Partial<Record<DesktopCallName, unknown>>;

/** The answers of the desktop on Windows to its pages; the page itself is the real one. */
const onWindows = async (answers: Answers, section: string, options: PageOptions = {}): Promise<Page> => {
  const page = await panel.page(options);
  await page.addInitScript(
    ([told, liveOrigin]) => {
      const usual = {
        'firstRun.state': null,
        'firstRun.isOwnerLeft': false,
        'dataFolder.progress': null,
        'restore.progress': null,
        'addresses.list': { addresses: [], unreadProxy: null },
      };
      const values = new Map(Object.entries({ ...usual, ...told }));
      const bridge = {
        liveOrigin,
        isWindows: true,
        call: async (name: string, input?: { readonly kind?: string }) => {
          const value = values.get(name);
          // One of several answers, by what it is about.
          const chosen =
            input?.kind && Array.isArray(value) ? value.find(({ kind }) => kind === input.kind) : value;
          return values.has(name) ? { ok: true, value: chosen } : { ok: false, message: 'not asked here' };
        },
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
const looksWell = (page: Page, name: string) => expectTidy(page, `computer-${name}`);

type Check = (locale: 'en-US' | 'pt-BR', language: 0 | 1) => Promise<void>;
const inBothLanguages = (name: string, check: Check): void => {
  test(`${name} in en-US`, () => check('en-US', 0));
  test(`${name} in pt-BR`, { tags: 'night' }, () => check('pt-BR', 1));
};

// Guarantee: a firewall that keeps others out is reported, with a button that fixes it, or with manual steps if Windows asks no one.
inBothLanguages('the firewall of Windows', async (locale, language) => {
  const answers: Answers = {
    'network.state': network,
    'network.mendFirewall': { outcome: 'impossible', state: network },
  };
  const page = await onWindows(answers, 'network', { locale });
  await page
    .getByText(['the firewall rule is missing', 'falta a regra do firewall'][language] ?? '')
    .waitFor();
  await page
    .getByRole('button', { name: ['Add firewall rule', 'Adicionar regra do firewall'][language] ?? '' })
    .click();
  await page.getByText('netsh advfirewall firewall add rule').waitFor();
  await looksWell(page, `firewall-${locale}`);
  await page.close();
});

// Guarantee: everything that keeps others out although Castellan's rule is in place is named, with what to do, in both languages.
inBothLanguages('what keeps others out', async (locale, language) => {
  const kinds = [
    'rule-off',
    'rule-changed',
    'public',
    'blocked',
    'shielded',
    'policy',
    'other-firewall',
    'off',
  ] as const;
  const blocked = {
    ...network,
    firewall: 'blocked',
    firewallFaults: kinds.map((kind) => ({ kind, profile: 'public', names: ['Node.js JavaScript Runtime'] })),
  } satisfies NetworkState;
  const page = await onWindows({ 'network.state': blocked }, 'network', { locale });
  await page
    .getByText(['although Castellan’s rule is in place', 'embora a regra do Castellan'][language] ?? '')
    .waitFor();
  await page.getByText('Set-NetConnectionProfile -NetworkCategory Private').waitFor();
  await page
    .getByText(['Turn it on in Windows Security', 'Segurança do Windows'][language] ?? '')
    .last()
    .waitFor();
  await looksWell(page, `firewall-faults-${locale}`);
  await page.close();
});

// Guarantee: each address says how it was reached, or what stands in the way and what to do, in the reader's language; nothing is
// asked before the button.
inBothLanguages('the addresses on the internet', async (locale, language) => {
  const answers: Answers = {
    'network.state': network,
    'addresses.list': addressList,
    'addresses.test': addresses,
  };
  const page = await onWindows(answers, 'network', { locale });
  const section = page.getByRole('region', {
    name: ['Internet connections', 'Conexões com a internet'][language] ?? '',
  });
  const untested = section.getByText(['Not tested yet', 'Ainda não testado'][language] ?? '');
  await untested.first().waitFor();
  expect(await untested.count()).toBe(addresses.length);
  await section.getByText(['A script in Windows', 'Um script nas configurações'][language] ?? '').waitFor();
  const test = section.getByRole('button', {
    name: ['Test connections', 'Testar as conexões'][language] ?? '',
  });
  await test.focus();
  await page.keyboard.press('Enter');
  await section
    .getByRole('status')
    .getByText(['1 address was not reached.', '1 endereço não foi alcançado.'][language] ?? '')
    .waitFor();
  const rowOf = (kind: string) => section.locator(`[data-address="${kind}"]`);
  const discord = ['Through the proxy proxy.example:8080', 'Pelo proxy proxy.example:8080'];
  await rowOf('discord')
    .getByText(discord[language] ?? '')
    .waitFor();
  await rowOf('discord')
    .getByText(['Set the clock', 'Acerte o relógio'][language] ?? '')
    .waitFor();
  await rowOf('modrinth')
    .getByText(['name its file in TRUSTED_CA_FILE', 'indique o arquivo em TRUSTED_CA_FILE'][language] ?? '')
    .waitFor();
  await section.getByRole('button', { name: ['Test again', 'Testar de novo'][language] ?? '' }).waitFor();
  await looksWell(page, `addresses-${locale}`);
  await page.close();
});

// Guarantee: if Windows Services run the stack, these settings are not offered, and the page says what to do.
test('services have these settings', { tags: ['night'] }, async () => {
  const isService = { 'network.state': { ...network, isService: true } };
  const page = await onWindows(isService, 'network');
  await page.getByText('so only an administrator can change this').waitFor();
  expect(await page.locator('#content form').count()).toBe(0);
  await looksWell(page, 'network-service');
  await page.close();
});

// Guarantee: the result of a move, and what it left behind, is shown in both languages.
inBothLanguages('what a move left,', async (locale, language) => {
  const kept = { folder: 'C:\\ProgramData\\Castellan', bytes: 1_400_000_000, isDeletable: false };
  const news = { outcome: 'went-back', detail: 'Postgres cannot reach D:\\Castellan' } as const;
  const left = { ...data, news, kept, half: 'E:\\Castellan' } satisfies DataFolderState;
  const page = await onWindows({ 'dataFolder.state': left }, 'data', { locale });
  const backWords = ['uses the old one again', 'voltou a usar a antiga'];
  await page
    .getByRole('alert')
    .getByText(backWords[language] ?? '')
    .waitFor();
  const deleteWords = ['Delete old folder …', 'Apagar a pasta antiga …'];
  expect(await page.getByRole('button', { name: deleteWords[language] ?? '' }).isDisabled()).toBe(true);
  await page.getByText('E:\\Castellan').waitFor();
  await looksWell(page, `data-${locale}`);
  await page.close();
});

// Guarantee: backups, the result of the last restore and the way back are shown in both languages without the API, and one dialog asks
// everything before a restore.
inBothLanguages('restores of Castellan,', async (locale, language) => {
  const backup: RestoreState['backups'][number] = {
    name: 'one',
    takenAt: '2026-01-02T03:30:00.000Z',
    isDatedAhead: false,
    kind: 'nightly',
    reason: 'nightly',
    cause: { kind: 'nightly' },
    bytes: 48_000_000,
    version: '0.1.0',
    hasChecksums: true,
    checkedAt: '2026-01-03T03:40:00.000Z',
    fault: null,
  };
  const damaged = { ...backup, name: 'two', fault: { code: 'changed', file: 'database/base/1/2' } } as const;
  const state = {
    ...{ heldBy: null, obstacle: null, isDeletable: true, backups: [backup, damaged] },
    kept: [
      {
        name: 'replaced-1',
        replacedAt: '2026-01-04T12:00:00.000Z',
        takenAt: backup.takenAt,
        bytes: 51_000_000,
      },
    ],
    news: { outcome: 'restored', detail: backup.takenAt },
  } satisfies RestoreState;
  const answers = { 'dataFolder.state': data, 'restore.state': state, 'restore.begin': {} };
  const page = await onWindows(answers, 'data', { locale });
  const rows = page.getByRole('table', { name: ['Restore a backup', 'Restaurar um backup'][language] ?? '' });
  const buttons = rows.getByRole('button', {
    name: ['Restore the backup', 'Restaurar o backup'][language] ?? '',
  });
  expect(await buttons.nth(1).isDisabled()).toBe(true);
  const back = ['Go back to before the restore …', 'Voltar a antes da restauração …'];
  await page.getByRole('button', { name: back[language] ?? '' }).waitFor();
  await looksWell(page, `restore-${locale}`);
  await buttons.first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(['orders, points', 'pedidos, pontos'][language] ?? '').waitFor();
  await looksWell(page, `restore-dialog-${locale}`);
  const act = ['Stop Castellan and restore', 'Parar o Castellan e restaurar'];
  await dialog.getByRole('button', { name: act[language] ?? '' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.close();
});
