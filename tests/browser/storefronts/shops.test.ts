import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeHttp } from '#contracts/store/store-http.ts';
import { type ApiPanel, openApiPanel, type Person, typeSignIn } from '#harness/api-panel.ts';
import { looks } from '#harness/browser.ts';
import { areLooksChecked, expectTidy } from '#harness/every-look.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { ask } from '../../../server/kernel/testing/ask.ts';
import { call, newServer } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { genericPaid } from '../../../server/storefronts/shops/testing/documented-events.ts';

const secret = new Secret('the-secret-of-our-site');
const resources = new AsyncDisposableStack();
let panel: ApiPanel;
let owner: Person;

beforeAll(async () => {
  panel = resources.use(await openApiPanel());
  owner = await panel.newAdmin('Ada', 'owner');
  const { port } = panel.api;
  await newServer(port, { name: 'Island' });
  await call(port, storeHttp.create, {
    as: testDesktopCredential,
    body: {
      name: 'VIP chest',
      price: 100,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
    },
  });
  await panel.api.context.database.pool.query(
    `insert into players (identity, platform_id, game, name, name_key)
     values ('steam:76561198010715714', 'steam:76561198010715714', 'minecraft', 'Otter', 'otter')`,
  );
});
afterAll(() => resources.disposeAsync());

const open = async (options: BrowserContextOptions = {}) => {
  const page = await panel.open('/shops', options);
  if (options.locale === 'pt-BR') {
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('Nome').fill(owner.name);
    await field('Senha').fill(owner.password);
    await page.keyboard.press('Enter');
  } else await typeSignIn(page, owner);
  const name = options.locale === 'pt-BR' ? 'Lojas externas' : 'External shops';
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page;
};
const looksWell = (page: Page, name: string) => expectTidy(page, `shops-${name}`);

/** The shop reports a purchase at the address that the panel shows. */
const send = async (page: Page, event: object) => {
  const address = await page.getByRole('region', { name: 'Shop Our site' }).getByRole('code').textContent();
  const body = JSON.stringify(event);
  const { status } = await ask(panel.api.port, new URL(address ?? '').pathname, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Castellan-Signature': signed(body, new Date(), secret),
    },
    body,
  });
  expect(status).toBe(200);
};

// Guarantee: an owner connects a shop in the panel alone, sees why an order waits, and one button helps; changing a secret needs
// the password again, and it is never shown; in both languages, light and dark, on a phone.
test('connecting a shop', async () => {
  {
    await using page = await open();
    await page.getByText('No external shops yet').waitFor();
    await looksWell(page, 'empty');
    await page.getByRole('button', { name: 'Add shop' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add shop' });
    const choose = async (label: string, option: string | RegExp) => {
      const scope = page.getByRole('dialog').last();
      await scope
        .getByRole('combobox', { name: label })
        .or(scope.getByRole('textbox', { name: label }))
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Our site');
    await choose('Shop', 'Your own site');
    await dialog.getByRole('textbox', { name: 'Secret', exact: true }).fill(secret.reveal());
    await looksWell(page, 'new');
    await dialog.getByRole('button', { name: 'Add shop', exact: true }).press('Enter');
    await confirmIdentity(page);
    await dialog.waitFor({ state: 'hidden' });
    const shop = page.getByRole('region', { name: 'Shop Our site' });
    await shop.getByText('No event received yet').waitFor();
    expect(await page.content()).not.toContain(secret.reveal());

    await shop.getByText('No shop on the internet reaches this URL.').waitFor();
    await shop.getByRole('link', { name: 'Set the public address' }).click();
    const { origin } = new URL(page.url());
    await page.getByRole('textbox', { name: 'Public address' }).fill(origin);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${origin} leads here.`).waitFor();
    await looksWell(page, 'address');
    await page.goBack();
    await shop.getByRole('button', { name: 'How to connect' }).click();
    const guide = page.getByRole('dialog', { name: 'Connect Our site' });
    await guide.getByRole('button', { name: 'Send test event' }).click();
    await guide.getByText('Received, and the signature is right.').waitFor();
    await looksWell(page, 'guide');
    await guide.getByRole('button', { name: 'Close', exact: true }).last().click();
    await shop.getByText('Receiving', { exact: false }).waitFor();

    await send(
      page,
      genericPaid('web-1', [{ product: 'vip', quantity: 1 }], { game: 'minecraft', name: 'Otter' }),
    );
    const waiting = page.getByRole('region', { name: 'Order web-1 from Our site' });
    await waiting.getByText('Assign these products.').waitFor();
    await looksWell(page, 'waiting');

    await shop.getByRole('button', { name: 'Products' }).click();
    const products = page.getByRole('dialog', { name: 'Products of Our site' });
    await products.getByRole('button', { name: 'Add assignment' }).click();
    const entry = products.getByRole('group', { name: 'Assignment 1' });
    await entry.getByRole('textbox', { name: 'Shop product' }).fill('vip');
    await choose('Store product', 'VIP chest');
    await looksWell(page, 'products');
    await products.getByRole('button', { name: 'Save' }).click();
    await products.waitFor({ state: 'hidden' });

    await waiting.getByText('The shop sent only a player name').waitFor();
    await waiting.getByRole('button', { name: 'Choose member' }).press('Enter');
    const who = page.getByRole('dialog', { name: 'Choose recipient' });
    await who.getByText('Sent by the shop: Otter').waitFor();
    await choose('Member', /^Otter/);
    await looksWell(page, 'receiver');
    await who.getByRole('button', { name: 'Deliver' }).click();
    await page.getByText('Nothing is waiting for you.').waitFor();
    await page.getByText('Ordered', { exact: true }).first().waitFor();

    await shop.getByRole('button', { name: 'Secrets' }).click();
    const secrets = page.getByRole('dialog', { name: 'Secrets of Our site' });
    await secrets.getByRole('textbox', { name: 'Secret', exact: true }).fill('the-secret-that-comes-next');
    await secrets.getByRole('button', { name: 'Add secret' }).click();
    await secrets.getByRole('button', { name: 'Remove secret 2' }).waitFor();
    await looksWell(page, 'secrets');
    await secrets.getByRole('button', { name: 'Close', exact: true }).last().click();

    await send(page, genericPaid('web-2', [{ product: 'vip', quantity: 1 }]));
    const second = page.getByRole('region', { name: 'Order web-2 from Our site' });
    await second.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
    await second.waitFor({ state: 'hidden' });
    await page.getByText('Dismissed', { exact: true }).first().waitFor();
    await looksWell(page, 'list');

    // A shop with orders is switched off, and one without is removed.
    await page.getByRole('button', { name: 'Add shop' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('By mistake');
    await dialog.getByRole('button', { name: 'Add shop', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const mistaken = page.getByRole('region', { name: 'Shop By mistake' });
    await mistaken.getByRole('button', { name: 'Remove' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove By mistake?' });
    await looksWell(page, 'remove');
    await removal.getByRole('button', { name: 'Remove' }).click();
    await mistaken.waitFor({ state: 'hidden' });
    await shop.getByRole('button', { name: 'Turn off' }).click();
    const off = page.getByRole('dialog', { name: 'Turn off Our site?' });
    await looksWell(page, 'switch-off');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await off.waitFor({ state: 'hidden' });
    await shop.getByText('Off', { exact: true }).waitFor();
    expect(await shop.getByRole('button', { name: 'Turn off' }).count()).toBe(0);
  }
  if (areLooksChecked) {
    await using page = await open({ ...looks['dark phone'], locale: 'pt-BR' });
    await page.getByText('Nenhum pedido espera por você.').waitFor();
    await looksWell(page, 'phone-dark-pt');
  }
});

const confirmIdentity = async (page: Page) => {
  const asked = page.getByRole('textbox', { name: 'Password', exact: true });
  await asked.fill(owner.password);
  await page.keyboard.press('Enter');
  await asked.waitFor({ state: 'hidden' });
};
