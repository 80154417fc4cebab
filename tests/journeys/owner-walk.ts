import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Credentials } from '#harness/panel.ts';
import type { OwnerMachine } from './owner-machine.ts';
import type { Walk } from './walk.ts';

export interface OwnerWalk {
  readonly walk: Walk;
  readonly owner: Credentials;
  readonly machine: OwnerMachine;
}

const longMs = 90_000;
const ctrlC = '\x03';
/** Until a terminal whose program does not end is killed. */
const endMs = 10_000;
export const serverName = 'Harbour';
export const productName = 'Welcome bread';

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: true }).first();
export const link = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('link', { name, exact: true }).first();
export const field = (within: Page | Locator, name: string): Locator =>
  within.getByRole('textbox', { name, exact: true });
export const content = (page: Page): Locator => page.locator('#content');

/** Opens a page by the navigation. */
export const openPage = async ({ page, click }: Walk, name: string): Promise<void> => {
  await click(page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}( \\(|$)`) }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/**
 * Answers the question for one's password, which comes at most every ten minutes.
 * @param until shown once the act has gone through
 */
export const confirmIdentity = async (
  { page, paste, press }: Walk,
  password: string,
  until: Locator,
): Promise<void> => {
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.or(until).first().waitFor({ timeout: longMs });
  if (await question.isVisible()) {
    await paste(field(question, 'Password'), password);
    await press('Enter');
  }
  await until.waitFor({ timeout: longMs });
};

const isDone = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByText('Done', { exact: true })
    .waitFor({ timeout: longMs });

/** From the sign-in to the first item in a game. */
export const walkFirstEvening = async ({ walk, owner, machine }: OwnerWalk): Promise<void> => {
  const { page, click, type, paste, press, step } = walk;
  const { game } = machine;
  await step('sign-in', async () => {
    await type(page.getByLabel('Name'), owner.name);
    await paste(field(page, 'Password'), owner.password);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    return link(content(page), 'Go to first steps');
  });
  await step('first-server', async () => {
    await click(link(content(page), 'Go to first steps'));
    await type(page.getByLabel('Cluster name'), 'North');
    await click(button(page, 'Create cluster'));
    await type(page.getByLabel('Server name'), serverName);
    await type(page.getByLabel('Console port'), String(game.port));
    await paste(page.getByLabel('Console password'), game.password);
    await click(button(page, 'Add server'));
    await isDone(page, 'Bring the server online');
    return button(page, 'Send command');
  });
  await step('first-command', async () => {
    await click(button(page, 'Send command'));
    await page.getByText('players online').waitFor();
    await isDone(page, 'Send a first command');
    return link(content(page), serverName);
  });
  await step('agent-line', async () => {
    await click(link(content(page), serverName));
    await click(button(page, 'Create command'));
    await confirmIdentity(walk, owner.password, page.getByRole('region', { name: 'Command' }));
    return button(page, 'Copy command');
  });
};

/** Pastes the shown line on the game's machine, answers its questions, and follows it in the panel. */
export const walkAgent = async ({ walk, machine }: OwnerWalk): Promise<AsyncDisposable> => {
  const { page, click, step, atTerminal } = walk;
  await using opening = new AsyncDisposableStack();
  await step('agent-connected', async () => {
    await click(button(page, 'Copy command'));
    const line = (await page.getByRole('region', { name: 'Command' }).textContent()) ?? '';
    const terminal = opening.use(machine.paste(line));
    opening.defer(() => {
      terminal.type(ctrlC);
      return Promise.race([terminal.exited, delay(endMs)]).then(() => undefined);
    });
    atTerminal(1);
    const answer = async (question: string, typed: string) => {
      await terminal.answer(question, typed);
      atTerminal(typed.length + 1);
    };
    await answer('Which server of Minecraft is it?', '');
    await answer('How is the game started?', '1');
    await answer('start, stop and restart the game?', '');
    await answer("read and change files in the game's folder", 'y');
    await answer('run on this machine?', '');
    await answer('May they schedule backups', '');
    await answer('Save this?', '');
    await page.getByText(/^Player list received/).waitFor({ timeout: longMs });
    return link(content(page), 'Go to server');
  });
  return opening.move();
};

/** The rest of the first steps. */
export const walkFirstItem = async ({ walk }: OwnerWalk): Promise<void> => {
  const { page, click, type, step } = walk;
  await step('first-product', async () => {
    await openPage(walk, 'Overview');
    await click(link(content(page), 'Go to first steps'));
    await type(page.getByLabel('Product name'), productName);
    await type(page.getByLabel('Item', { exact: false }).first(), 'bread');
    await click(page.getByRole('option', { name: 'Bread' }).first());
    await click(button(page, 'Create product'));
    await isDone(page, 'Create a product');
    return button(page, 'Give points');
  });
  await step('first-item', async () => {
    await click(button(page, 'Give points'));
    await isDone(page, 'Give points to a member');
    await click(button(page, 'Place order'));
    await isDone(page, 'Deliver a first item');
    await page.getByRole('heading', { name: 'All done' }).waitFor();
    return link(content(page), 'Invite other admins');
  });
  await step('moderator', async () => {
    await click(link(content(page), 'Invite other admins'));
    await click(button(page, 'New admin'));
    const form = page.getByRole('dialog');
    await type(form.getByLabel('Name'), 'Maren');
    await walk.choose(
      form.getByRole('combobox', { name: 'Role', exact: true }),
      page.getByRole('option', { name: 'Moderator' }),
    );
    await click(button(form, 'New admin'));
    const credentials = page.getByRole('dialog', { name: /Maren/ });
    await credentials.getByText(page.url().split('/#')[0] ?? '').waitFor();
    return button(credentials, 'Done');
  });
};
