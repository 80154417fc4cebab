import type { Locator } from 'playwright-core';
import {
  button,
  confirmIdentity,
  content,
  field,
  link,
  type OwnerWalk,
  openPage,
  productName,
} from './owner-walk.ts';
import type { WalkedStep } from './walk.ts';

const longMs = 90_000;

export interface DiscordPlace {
  readonly token: string;
  readonly guildId: string;
}

/** Connects the bot, from an empty page to a connected one. */
export const walkDiscord = async ({ walk, owner }: OwnerWalk, place: DiscordPlace): Promise<void> => {
  const { page, click, paste, step } = walk;
  await step('discord', async () => {
    await click(button(page.getByRole('dialog'), 'Done'));
    await openPage(walk, 'Discord');
    await paste(page.getByLabel('Bot token', { exact: true }), place.token);
    await paste(page.getByLabel('Discord server ID'), place.guildId);
    await click(button(page, 'Test and save'));
    const connected = page.getByRole('region', { name: 'Bot' }).getByText('Connected', { exact: true });
    await confirmIdentity(walk, owner.password, connected);
    return link(content(page), 'Events');
  });
};

export interface PaidOrder {
  readonly shopName: string;
  readonly secret: string;
  /** Reports a purchase at the shop's address. */
  readonly pay: (address: string, orderId: string) => Promise<void>;
}

/** Connects a shop. @returns the step in which a paid order that waits is solved */
export const walkShop = async (
  owned: OwnerWalk,
  { shopName, secret, pay }: PaidOrder,
): Promise<WalkedStep> => {
  const { walk, owner } = owned;
  const { page, click, type, paste, step } = walk;
  const shop = page.getByRole('region', { name: `Shop ${shopName}` });
  const option = (name: string | RegExp) => page.getByRole('option', { name, exact: true });
  const list = (within: Locator, name: string) =>
    within.getByRole('combobox', { name }).or(within.getByRole('textbox', { name }));
  await step('shop', async () => {
    await openPage(walk, 'External shops');
    await click(button(content(page), 'Add shop'));
    const dialog = page.getByRole('dialog', { name: 'Add shop' });
    await type(field(dialog, 'Name'), shopName);
    await walk.choose(list(dialog, 'Shop'), option('Your own site'));
    await paste(field(dialog, 'Secret'), secret);
    await click(button(dialog, 'Add shop'));
    await confirmIdentity(walk, owner.password, shop);
    return link(shop, 'Set the public address');
  });
  await step('public-address', async () => {
    await click(link(shop, 'Set the public address'));
    const { origin } = new URL(page.url());
    await type(field(page, 'Public address'), origin);
    await click(button(page, 'Save'));
    await page.getByText(`${origin} leads here.`).waitFor({ timeout: longMs });
    return link(content(page), 'Go to external shops');
  });
  await step('shop-tested', async () => {
    await click(link(content(page), 'Go to external shops'));
    await click(button(shop, 'How to connect'));
    const guide = page.getByRole('dialog', { name: `Connect ${shopName}` });
    await click(button(guide, 'Send test event'));
    await guide.getByText('Received, and the signature is right.').waitFor();
    await click(guide.getByRole('button', { name: 'Close', exact: true }).last());
    await shop.getByText('Receiving', { exact: false }).waitFor();
    return button(shop, 'Products');
  });
  await step('shop-products', async () => {
    await click(button(shop, 'Products'));
    const products = page.getByRole('dialog', { name: `Products of ${shopName}` });
    await click(button(products, 'Add assignment'));
    const entry = products.getByRole('group', { name: 'Assignment 1' });
    await type(field(entry, 'Shop product'), 'vip');
    await walk.choose(list(entry, 'Store product'), option(productName));
    await click(button(products, 'Save'));
    await products.waitFor({ state: 'hidden' });
    return button(shop, 'How to connect');
  });
  await pay((await shop.getByRole('code').textContent()) ?? '', 'web-1');
  return step('paid-external-order', async () => {
    const waiting = page.getByRole('region', { name: `Order web-1 from ${shopName}` });
    await click(button(waiting, 'Choose member'));
    const who = page.getByRole('dialog', { name: 'Choose recipient' });
    await walk.choose(list(who, 'Member'), option(/^Otter/));
    await click(button(who, 'Deliver'));
    await page.getByText('Delivered', { exact: true }).first().waitFor({ timeout: longMs });
    return button(shop, 'Products');
  });
};

/** Decides about a delivery of which nothing is proven. @returns the step on the desk alone */
export const walkDesk = async ({ walk }: OwnerWalk): Promise<WalkedStep> => {
  const { page, click, step } = walk;
  await step('needs-you', async () => {
    await openPage(walk, 'Overview');
    const need = content(page).getByRole('link', { name: /needs? a decision/ });
    await need.first().waitFor({ timeout: longMs });
    return need.first();
  });
  return step('paid-order-at-the-desk', async () => {
    await click(
      content(page)
        .getByRole('link', { name: /needs? a decision/ })
        .first(),
    );
    await click(page.getByRole('row').filter({ hasText: 'Greeting' }).getByText('Greeting'));
    await click(button(page.getByRole('dialog'), 'Mark as delivered'));
    await click(
      button(page.getByRole('dialog', { name: 'Mark 1 delivery as delivered?' }), 'Mark as delivered'),
    );
    await page.getByText('Nothing to decide').waitFor();
    return link(content(page), 'Go to deliveries');
  });
};

export const walkSeason = async ({ walk }: OwnerWalk): Promise<void> => {
  const { page, click, type, step } = walk;
  await step('season', async () => {
    await openPage(walk, 'Seasons');
    await click(button(content(page), 'New season'));
    await type(field(page, 'Name'), 'Winter');
    await type(page.getByLabel('Type “Winter” to start'), 'Winter');
    await click(button(page, 'Start season'));
    await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
    const undo = button(page, 'Undo season');
    await undo.waitFor({ timeout: longMs });
    return undo;
  });
};
