import type { Locator, Page } from 'playwright-core';
import type { Credentials } from '#harness/panel.ts';

/** The game server that the journey adds: a 7 Days to Die server that answers at this port on this machine. */
export interface EveningGame {
  readonly port: number;
  readonly password: string;
}

/** Operates controls by pointer, or by keyboard alone. Both count the user's actions. */
export interface Hand {
  /** Activates a button, link or tab, or opens a list. */
  use(control: Locator): Promise<void>;
  /** Focuses a field, clears it and types. Not counted, since it cannot be shorter. */
  type(field: Locator, text: string): Promise<void>;
  /** Shows another tab of a page. */
  show(tab: Locator): Promise<void>;
  /** Opens a list and chooses one of its options. */
  choose(list: Locator, option: Locator): Promise<void>;
  count(): number;
}

export const pointer = (): Hand => {
  let clicks = 0;
  const use = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  return {
    use,
    show: use,
    type: (field, text) => field.fill(text),
    async choose(list, option) {
      clicks += 2;
      await list.click();
      await option.click();
    },
    count: () => clicks,
  };
};

/** More than any page of the panel has. */
const mostStops = 200;

/** Reaches everything by Tab, in the browser's order. @throws when a control is not reached */
export const keyboard = (page: Page): Hand => {
  let presses = 0;
  const reach = async (control: Locator, key = 'Tab') => {
    await control.waitFor();
    const isReached = async () => (await control.and(page.locator(':focus')).count()) > 0;
    for (let stop = 0; !(await isReached()); stop += 1) {
      if (stop === mostStops) throw new Error(`${key} does not reach ${control}`);
      await page.keyboard.press(key);
    }
  };
  return {
    async use(control) {
      await reach(control);
      presses += 1;
      await page.keyboard.press('Enter');
    },
    async show(tab) {
      await reach(page.getByRole('tab', { selected: true }));
      presses += 1;
      await reach(tab, 'ArrowRight');
      await page.keyboard.press('Enter');
    },
    async type(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async choose(list, option) {
      await reach(list);
      presses += 2;
      const isMarked = () => option.and(page.locator('[data-combobox-selected]')).count();
      for (let stop = 0; (await isMarked()) === 0; stop += 1) {
        if (stop === mostStops) throw new Error(`the arrow keys do not reach ${option}`);
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
    count: () => presses,
  };
};

export const eveningSteps = [
  'sign-in',
  'overview',
  'add-server',
  'server',
  'console',
  'moderator',
  'audit',
  'license',
] as const;
export type EveningStep = (typeof eveningSteps)[number];

export interface EveningOptions {
  readonly owner: Credentials;
  readonly game: EveningGame;
  readonly serverName: string;
  readonly moderatorName: string;
  readonly hand: Hand;
  /** Called when the page shows the step's content. */
  readonly onStep: (step: EveningStep) => Promise<void>;
}

/**
 * The first evening of an owner: sign in, add a server, run a command, let a moderator help on that server alone, see who changed
 * what and when the license ends. The page is at the sign-in; the panel has a cluster.
 */
export const walkOwnerEvening = async (page: Page, options: EveningOptions): Promise<void> => {
  const { owner, game, serverName, moderatorName, hand, onStep } = options;
  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true }).first();
  const choose = (list: Locator, name: string) => hand.choose(list, page.getByRole('option', { name }));
  const goTo = async (name: string) => {
    await hand.use(page.getByRole('navigation').getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  await hand.type(page.getByLabel('Name'), owner.name);
  await hand.type(page.getByRole('textbox', { name: 'Password', exact: true }), owner.password);
  await onStep('sign-in');
  await hand.use(button('Sign in'));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await onStep('overview');

  await goTo('Servers');
  await hand.use(button('Add server'));
  const form = page.getByRole('dialog');
  await hand.type(form.getByLabel('Name'), serverName);
  await form.getByLabel('Game', { exact: true }).selectOption('seven-days-to-die');
  await hand.type(form.getByLabel('Console port'), String(game.port));
  await hand.type(form.locator('input[type=password]'), game.password);
  await onStep('add-server');
  await hand.use(button('Add server', form));
  await page.getByRole('heading', { level: 1, name: serverName }).waitFor();
  await page.getByText('Online').first().waitFor();
  await onStep('server');

  await hand.show(page.getByRole('tab', { name: 'Console' }));
  const line = page.getByRole('textbox', { name: 'Command', exact: true });
  await line.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('version');
  await page.keyboard.press('Enter');
  await page.getByText('Game version').first().waitFor();
  await onStep('console');

  await goTo('Admins');
  await hand.use(button('New admin'));
  await hand.type(form.getByLabel('Name'), moderatorName);
  await choose(form.getByRole('combobox', { name: 'Role', exact: true }), 'No role');
  await choose(form.getByPlaceholder('Add server'), serverName);
  await onStep('moderator');
  await hand.use(button('New admin', form));
  await hand.use(button('Done'));
  await page.getByRole('link', { name: moderatorName }).waitFor();

  await goTo('Audit log');
  await page.getByText(moderatorName).first().waitFor();
  await onStep('audit');
  await goTo('License');
  await onStep('license');
};
