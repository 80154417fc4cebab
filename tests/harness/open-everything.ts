import type { Page } from 'playwright-core';
import { axeViolations } from './browser.ts';
import { eventually } from './eventually.ts';
import { picture, speak } from './every-look.ts';
import { goTo, settle } from './panel-pages.ts';

/** What was opened on a page, and the problems found. */
export interface Opened {
  readonly names: readonly string[];
  /** One line per problem. */
  readonly faults: readonly string[];
}

interface Opener {
  readonly name: string;
  /** Its markup says that it opens something. */
  readonly isSure: boolean;
  /** A field with a list, which looks alike on every page. */
  readonly isField: boolean;
}

/**
 * Runs in the page: `openers(scope)` returns the buttons that may open something, one of each kind. Of a list's rows only the first
 * one's buttons count; buttons that submit a form, switch, sort or jump within the page do not open anything.
 */
const finders = `
  globalThis.textOf = (one) =>
    (one.getAttribute('aria-label') || one.innerText || one.labels?.[0]?.innerText || one.getAttribute('placeholder') || '')
      .replace(/\\s+/g, ' ').trim().slice(0, 60);
  globalThis.isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  globalThis.openers = (scope) => {
    const root = document.querySelector(scope);
    const found = new Map();
    if (!root) return found;
    for (const one of root.querySelectorAll('button, [aria-haspopup]')) {
      if (one.disabled || one.matches('[aria-disabled=true], [data-disabled], [type=submit], [role=tab], [role=switch], [role=radio], [aria-pressed], th *, [role=columnheader] *'))
        continue;
      const isSure = one.hasAttribute('aria-haspopup');
      if ((!isSure && one.hasAttribute('aria-expanded')) || !isShown(one)) continue;
      const row = one.closest('tbody tr, [role=row], li');
      // Rows differ: a player whose id is not known yet has no button that copies it.
      const alike = row && [...row.querySelectorAll('button, [aria-haspopup]')].filter((other) => other.hasAttribute('aria-haspopup') === isSure);
      const list = row && [...document.querySelectorAll('tbody, ul, ol, [role=rowgroup]')].indexOf(row.parentElement);
      const key = row ? 'list ' + list + (isSure ? ', menu ' : ', button ') + alike.indexOf(one) : textOf(one);
      if (!found.has(key)) found.set(key, { one, isSure, isField: one.matches('input'), name: textOf(one) });
    }
    return found;
  };
  globalThis.overlays = () =>
    [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].filter(isShown);`;

const list = (scope: string) =>
  `[...openers(${JSON.stringify(scope)})].map(([key, { name, isSure, isField }]) => [key, { name, isSure, isField }])`;

/** Marks an opener that still exists. */
const mark = (scope: string, key: string) => `(() => {
  document.querySelector('[data-opener]')?.removeAttribute('data-opener');
  const { one } = openers(${JSON.stringify(scope)}).get(${JSON.stringify(key)}) ?? {};
  one?.setAttribute('data-opener', '');
  return one !== undefined;
})()`;

const framesOfPatience = 20;
/** Resolves when more is open than before, or with what is open after some frames. */
const openedNow = `new Promise((resolve) => {
  let left = ${framesOfPatience};
  const look = () => {
    const open = overlays().at(-1);
    // A dialog gets its name a moment after it appears.
    const isNamed = open?.matches('[role=dialog], [role=alertdialog]')
      ? open.hasAttribute('aria-labelledby') || open.hasAttribute('aria-label')
      : open !== undefined;
    if (isNamed || left-- === 0) resolve(open ? open.getAttribute('role') : null);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** The open overlay and the element that opened it. */
const openParts = `(overlays().length === 0
  ? document
  : { include: [...overlays(), ...document.querySelectorAll('[data-opener]')] })`;

const nothingOpen = 'overlays().length === 0';
const focusIsBack = `(() => {
  const opener = document.querySelector('[data-opener]');
  const here = document.activeElement;
  // A row that live data has replaced meanwhile has a successor, which nothing can have the focus of.
  return opener === null || (here !== null && (opener === here || opener.contains(here)));
})()`;
const titleOf = `(() => {
  const open = overlays().at(-1);
  const named = open?.getAttribute('aria-labelledby');
  return ((named && document.getElementById(named)?.innerText) || open?.getAttribute('aria-label') || '').trim();
})()`;
const menuItems = `overlays().filter((one) => one.matches('[role=menu]')).flatMap((menu) =>
  [...menu.querySelectorAll('[role=menuitem]:not([href]):not([data-disabled]):not(:disabled)')].map(textOf))`;
const click = (item: string) => `(() => {
  const one = [...document.querySelectorAll('[role=menu] [role=menuitem]')].find((one) => isShown(one) && textOf(one) === ${JSON.stringify(item)});
  one?.click();
})()`;

/** A loaded machine draws nothing for seconds, and a button that is not clicked would count as one that opens nothing. */
const clickMs = 15_000;
const closeMs = 3000;

/** Clicks change nothing: only read requests reach the API. */
export const refuseChanges = (page: Page): Promise<unknown> =>
  page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const problem = { type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND' };
    return route.fulfill({ status: 404, contentType: 'application/problem+json', json: problem });
  });

/**
 * Opens each dialog, menu and list that a page's buttons open, checks it light in English and dark in Portuguese, closes it with
 * Escape, and checks where the focus is then. The page behind is checked, too, with the first one that opens. The page's changes
 * must be refused (`refuseChanges`).
 * @param scope where the buttons are
 * @param known names of fields that were opened before; those of this page are added
 */
export const openEverything = async (
  page: Page,
  path: string,
  { scope = '#content', known = new Set() }: { readonly scope?: string; readonly known?: Set<string> } = {},
): Promise<Opened> => {
  const names: string[] = [];
  const faults: string[] = [];
  await goTo(page, path);
  await page.evaluate(finders);
  /** Starts over: a click may have sorted a list or navigated away. */
  const begin = async () => {
    await page.goto(`/#${path}`);
    await page.reload();
    await settle(page);
    await page.evaluate(finders);
  };
  const openers = (await page.evaluate(list(scope))) as readonly (readonly [string, Opener])[];

  /** @returns what was opened, or null */
  const open = async (key: string, { name, isSure }: Opener): Promise<string | null> => {
    if (!(await page.evaluate(mark(scope, key)))) return null;
    const opener = page.locator('[data-opener]');
    const isClicked = await opener.click({ timeout: clickMs }).then(
      () => true,
      () => false,
    );
    if (!isClicked) return null;
    const role = (await page.evaluate(openedNow)) as string | null;
    if (role === null && isSure) faults.push(`${path}, ${name}: says that it opens something, and does not`);
    return role;
  };

  const look = async (what: string, role: string) => {
    names.push(what);
    // A popup next to a field or button belongs to that element and is in no landmark of the page.
    const without = role === 'listbox' || role === 'menu' ? ['region'] : [];
    await picture(page, `open-${`${path} ${what}`.replace(/[^\p{L}\d]+/gu, '-')}`);
    const within = names.length === 1 ? 'document' : openParts;
    for (const violation of await axeViolations(page, without, within))
      faults.push(`${what}, light: ${violation}`);
    await speak(page, 'pt-BR');
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const violation of await axeViolations(page, without, within))
      faults.push(`${what}, dark: ${violation}`);
    await speak(page, 'en');
    await page.emulateMedia({ colorScheme: 'light' });
  };

  const close = async (what: string) => {
    await page.keyboard.press('Escape');
    try {
      await eventually(async () => {
        if (!(await page.evaluate(nothingOpen))) throw new Error('is not closed by Escape');
      }, closeMs);
      await eventually(async () => {
        if (!(await page.evaluate(focusIsBack)))
          throw new Error(`the focus is at ${await page.evaluate(whereFocusIs)}`);
      }, closeMs);
    } catch (error) {
      faults.push(`${what}: ${(error as Error).message}`);
      await begin();
    }
  };

  for (const [key, opener] of openers) {
    if (opener.isField && known.has(opener.name)) continue;
    if (opener.isField) known.add(opener.name);
    const role = await open(key, opener);
    if (role === null) {
      if (!page.url().endsWith(`#${path}`)) await begin();
      continue;
    }
    const what = `${path}, ${opener.name || key}`;
    await look(`${what} (${role})`, role);
    const items = (await page.evaluate(menuItems)) as readonly string[];
    await close(what);
    for (const item of items) {
      if ((await open(key, opener)) === null) break;
      await page.evaluate(click(item));
      await eventually(async () => {
        if (((await page.evaluate(menuItems)) as readonly string[]).length > 0)
          throw new Error('the menu is open');
      }, closeMs).catch(() => undefined);
      const next = (await page.evaluate(openedNow)) as string | null;
      if (next !== null) {
        const title = await page.evaluate(titleOf);
        await look(`${what} → ${item} (${title})`, next);
        await close(`${what} → ${item}`);
      } else if (!page.url().endsWith(`#${path}`)) await begin();
    }
  }
  return { names, faults };
};

const whereFocusIs = `document.activeElement?.outerHTML.slice(0, 120) ?? 'nothing'`;
