import type { Page } from 'playwright-core';
import {
  type NavigationEntry,
  navigation,
  type PageName,
  pageNames,
} from '../../renderer/shell/navigation.ts';
import { eventually } from './eventually.ts';

export interface PanelAddress {
  readonly name: PageName;
  readonly path: string;
  readonly permission: NavigationEntry['permission'];
}

/** The addresses of every page of the panel, and of the parts of pages that have their own. */
export const panelAddresses = ({
  servers,
}: {
  readonly servers: readonly { readonly id: string }[];
}): readonly PanelAddress[] =>
  pageNames.flatMap((name) => {
    const { path, permission }: NavigationEntry = navigation[name];
    const deeper = partsOf(name, servers[0]?.id).map((part) => `${path}/${part}`);
    return [path, ...deeper].map((address) => ({ name, path: address, permission }));
  });

const partsOf = (page: PageName, serverId: string | undefined): readonly string[] => {
  if (page === 'help') return ['guides', 'api'];
  if (serverId === undefined) return [];
  if (page === 'agents') return [serverId];
  if (page !== 'servers') return [];
  return ['', '/console', '/players', '/saves', '/mods', '/history', '/settings'].map(
    (tab) => serverId + tab,
  );
};

const settleDeadlineMs = 15_000;
const beforeTitle = 'on its way';

/** Navigates inside the panel, as a click does, and waits until the page has settled. */
export const goTo = async (page: Page, path: string): Promise<void> => {
  const hash = JSON.stringify(`#${path}`);
  // The title shows when the next page has replaced this one; if both have the same title, nothing would write it again.
  const leave = `if (location.hash !== ${hash}) { document.title = ${JSON.stringify(beforeTitle)}; location.hash = ${hash}; }`;
  await page.evaluate(leave);
  await settle(page);
};

/** The conditions for a complete page: it has a title, nothing is still loading, and nothing moves. */
const stands = `
  document.title !== ${JSON.stringify(beforeTitle)} &&
  document.querySelector('#content h1') !== null &&
  document.querySelector('[data-ghost]') === null &&
  document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect.getTiming().iterations === Infinity)`;

/** Waits until a page has its title and heading, and its content has arrived. */
export const settle = (page: Page): Promise<void> =>
  eventually(async () => {
    // Polled from here: the panel's content security policy does not allow a page to evaluate a wait expression.
    if (await page.evaluate(stands)) return;
    const text = await page.locator('#content').textContent();
    throw new Error(`${page.url()}, “${await page.title()}”, did not settle: ${text}`);
  }, settleDeadlineMs);
