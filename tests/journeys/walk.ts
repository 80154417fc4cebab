import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { looks, overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { learnBothLanguages, speak } from '#harness/every-look.ts';

/** What a person did in one step of a walk. */
export interface WalkedStep {
  readonly name: string;
  readonly clicks: number;
  /** Characters typed into fields, and keys pressed. */
  readonly keys: number;
  /** Typed into a terminal on a machine: characters, a pasted line counts once. */
  readonly terminalKeys: number;
  readonly seconds: number;
  readonly picture: string;
}

/** Walks through the panel as a person does, and counts what that takes. */
export interface Walk {
  readonly page: Page;
  click(control: Locator): Promise<void>;
  /** Types in place of what a field holds. */
  type(field: Locator, text: string): Promise<void>;
  /** Pastes a text that no person types, such as a password: one key. */
  paste(field: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Opens a list and chooses an option: two clicks. */
  choose(list: Locator, option: Locator): Promise<void>;
  /** Counts what was typed into a terminal. */
  atTerminal(keys: number): void;
  /**
   * One step, which ends with a picture and is counted.
   * @param next the control by which the person goes on, shown in the page or a dialog at the step's end
   * @throws when the step ends without it
   */
  step(name: string, act: () => Promise<Locator>): Promise<WalkedStep>;
  readonly steps: readonly WalkedStep[];
}

const msInSecond = 1000;
const longMs = 60_000;
const phone = { width: 390, height: 844 };

/** @param folder where pictures go, which exists, light and on a dark phone in Portuguese; none: no pictures */
export const openWalk = (page: Page, folder: string | undefined): Walk => {
  const steps: WalkedStep[] = [];
  let clicks = 0;
  let keys = 0;
  let terminalKeys = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  /** Leaves the page as it was. @throws when the page is wider than a phone */
  const look = async (name: string): Promise<string> => {
    const picture = `${String(steps.length + 1).padStart(2, '0')}-${name}`;
    const isCovered = (await page.locator('[aria-modal=true]').count()) > 0;
    const shoot = async (file: string) => {
      if (folder === undefined) return;
      if (!isCovered) await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(folder, file), fullPage: !isCovered });
    };
    await shoot(`${picture}.png`);
    if (steps.length === 0) await learnBothLanguages(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(phone);
    await speak(page, 'pt-BR');
    await shoot(`${picture}-phone.png`);
    // Floating elements are repositioned a moment after the window has changed.
    await eventually(async () => {
      if (await overflows(page)) throw new Error(`“${name}” is wider than a phone`);
    });
    await speak(page, 'en');
    await page.setViewportSize(looks.light.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    return `${picture}.png`;
  };
  return {
    page,
    click,
    async type(field, text) {
      keys += text.length;
      await field.fill(text);
    },
    async paste(field, text) {
      keys += 1;
      await field.fill(text);
    },
    async press(key) {
      keys += 1;
      await page.keyboard.press(key);
    },
    async choose(list, option) {
      await click(list);
      await click(option);
    },
    atTerminal: (count) => {
      terminalKeys += count;
    },
    async step(name, act) {
      clicks = 0;
      keys = 0;
      terminalKeys = 0;
      const beganMs = performance.now();
      const next = await act();
      const way = next.and(page.locator(ways)).first();
      await way.waitFor({ timeout: longMs }).catch((cause: unknown) => {
        throw new Error(`“${name}” ends without a way on: ${next}`, { cause });
      });
      const seconds = (performance.now() - beganMs) / msInSecond;
      const picture = await look(name);
      const walked = { name, clicks, keys, terminalKeys, seconds, picture };
      steps.push(walked);
      return walked;
    },
    steps,
  };
};

/** A link or a button in use, in the page or a dialog rather than in the navigation. */
const ways = ['#content', '[role=dialog]']
  .flatMap((place) =>
    ['a[href]', 'button:not(:disabled, [aria-disabled=true])'].map((way) => `${place} ${way}`),
  )
  .join(', ');

export const tableOf = (steps: readonly WalkedStep[]): string =>
  [
    '| Step | Clicks | Keys | Keys at the terminal | Seconds | Picture |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...steps.map(
      ({ name, clicks, keys, terminalKeys, seconds, picture }) =>
        `| ${name} | ${clicks} | ${keys} | ${terminalKeys} | ${seconds.toFixed(1)} | ${picture} |`,
    ),
    '',
  ].join('\n');
