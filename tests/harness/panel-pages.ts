import type { Page } from 'playwright-core';
import { type NavigationEntry, navigation, type PageName, pageNames } from '../../renderer/navigation.ts';
import type { DemoInfo } from './demo.ts';
import { eventually } from './eventually.ts';

export interface PanelAddress {
  readonly name: PageName;
  readonly path: string;
  readonly permission: NavigationEntry['permission'];
}

/** The addresses at which every page of the panel can be looked at, and the parts of pages that have some of their own. */
export const panelAddresses = ({ servers }: Pick<DemoInfo, 'servers'>): readonly PanelAddress[] =>
  pageNames.flatMap((name) => {
    const { path, permission }: NavigationEntry = navigation[name];
    const deeper = partsOf(name, servers[0]?.id).map((part) => `${path}/${part}`);
    return [path, ...deeper].map((address) => ({ name, path: address, permission }));
  });

const partsOf = (page: PageName, serverId: string | undefined): readonly string[] => {
  if (serverId === undefined) return [];
  if (page === 'agents') return [serverId];
  if (page !== 'servers') return [];
  return ['', '/console', '/players', '/saves', '/mods', '/history', '/settings'].map(
    (tab) => serverId + tab,
  );
};

const settleDeadlineMs = 15_000;
const beforeTitle = 'on its way';

/** Goes to an address inside the panel, as a click does, and waits until the page there has settled. */
export const goTo = async (page: Page, path: string): Promise<void> => {
  const hash = JSON.stringify(`#${path}`);
  // The title tells the next page from the present one; where that is the same, nothing would write it anew.
  const leave = `if (location.hash !== ${hash}) { document.title = ${JSON.stringify(beforeTitle)}; location.hash = ${hash}; }`;
  await page.evaluate(leave);
  await settle(page);
};

/** What is asked of a page that stands: it has a name, nothing in it is still loading, and nothing moves. */
const stands = `
  document.title !== ${JSON.stringify(beforeTitle)} &&
  document.querySelector('#content h1') !== null &&
  document.querySelector('.mantine-Skeleton-root') === null &&
  document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect.getTiming().iterations === Infinity)`;

/** Waits until a page has its title and its heading, and what it shows has arrived. */
export const settle = (page: Page): Promise<void> =>
  eventually(async () => {
    // Asked from here: the panel's content security policy lets no page wait for an expression.
    if (await page.evaluate(stands)) return;
    const text = await page.locator('#content').textContent();
    throw new Error(`${page.url()}, “${await page.title()}”, did not settle: ${text}`);
  }, settleDeadlineMs);
