import type { Page } from 'playwright-core';
import type { Language } from '#contracts/kernel/language.ts';
import { axeViolations, type Look, looks, overflows } from './browser.ts';
import { learnBothLanguages, speak } from './every-look.ts';
import type { Panel, PanelInfo } from './panel.ts';
import { goTo, panelAddresses, settle } from './panel-pages.ts';

type SweptPanel = Panel<PanelInfo & Parameters<typeof panelAddresses>[0]>;

/** What a console without a Game Agent, which alone keeps earlier lines, is refused. */
const historyWithoutAgent = /status of 409 .*\/console\/history\?/;

/** Collects background errors from now on: no other request that a page makes by itself may be refused. */
export const watchBehind = (panel: SweptPanel): (() => readonly string[]) => {
  const seen = { faults: panel.faults().length, refusals: panel.refusals().length };
  return () => [
    ...panel.faults().slice(seen.faults),
    ...panel
      .refusals()
      .slice(seen.refusals)
      .filter((refusal) => !historyWithoutAgent.test(refusal)),
  ];
};

export interface Seen {
  readonly colorScheme: 'light' | 'dark';
  readonly language: Language;
}

/** The problems of the current page's frame, a line each. */
export const frameFlaws = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = [];
  if (await overflows(page)) found.push('wider than the window');
  const headings = await page.locator('h1').count();
  if (headings !== 1) found.push(`${headings} headings of the first order`);
  if (!/^.+ – Castellan$/.test(await page.title())) found.push(`its title is “${await page.title()}”`);
  return found;
};

/**
 * The problems of the current page, a line each.
 * @param without rules of axe that are left out
 */
export const flaws = async (page: Page, without: readonly string[] = []): Promise<readonly string[]> => [
  ...(await axeViolations(page, without)).map((violation) => `axe: ${violation}`),
  ...(await frameFlaws(page)),
];

/** In a desktop window, which has the language menu in the frame. */
const learnLanguages = async (page: Page, look: Look) => {
  await page.setViewportSize(looks.light.viewport);
  await learnBothLanguages(page);
  await page.setViewportSize(looks[look].viewport);
  // An element of the page under the former menu could show a tooltip.
  await page.mouse.move(0, 0);
};

export interface Sweep {
  readonly look: Look;
  readonly asSeen: readonly Seen[];
  /** Rules of axe that are left out. */
  readonly without?: readonly string[];
}

/**
 * Walks over every page.
 * @returns axe's findings, pages wider than the window, missing or shared titles and what failed in the background, a line each
 */
export const sweep = async (
  panel: SweptPanel,
  { look, asSeen, without = [] }: Sweep,
): Promise<readonly string[]> => {
  const behind = watchBehind(panel);
  const page = await panel.page({ look });
  if (asSeen.some(({ language }) => language !== 'en')) await learnLanguages(page, look);
  const found: string[] = [];
  const titles = new Map<string, string>();
  for (const { path } of panelAddresses(panel.info)) {
    try {
      await goTo(page, path);
      for (const { colorScheme, language } of asSeen) {
        await page.emulateMedia({ colorScheme });
        await speak(page, language);
        await settle(page);
        for (const flaw of await flaws(page, without))
          found.push(`${path}, ${colorScheme}, ${language}: ${flaw}`);
        const title = `${language} ${await page.title()}`;
        const other = titles.get(title) ?? path;
        if (other !== path) found.push(`${path}: has the title of ${other}`);
        titles.set(title, path);
      }
    } catch (error) {
      found.push(`${path}: ${(error as Error).message}`);
    }
    await speak(page, 'en');
  }
  await page.close();
  return [...found, ...behind()];
};

/** The problems of a page whose list cannot be read. */
export const flawsOfRefusedList = async (
  panel: SweptPanel,
  look: Look,
  without: readonly string[] = [],
): Promise<readonly string[]> => {
  const page = await panel.page({ look });
  // A permanent refusal, so that the page gives up immediately.
  const json = { type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND' };
  await page.route('**/api/clusters?*', (route) => route.fulfill({ status: 404, json }));
  await goTo(page, '/clusters');
  await page.getByRole('alert').waitFor();
  const found = await flaws(page, without);
  await page.close();
  return found;
};
