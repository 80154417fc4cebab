import type { Page } from 'playwright-core';

/** Content that scrolls sideways within the page, such as a table, is not cut off, since it can be reached. */
const cut = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (one) => {
    for (let above = one.parentElement; above && above !== document.body; above = above.parentElement)
      if (/auto|scroll/.test(getComputedStyle(above).overflowX) && above.scrollWidth > above.clientWidth) return true;
    return false;
  };
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return [...document.querySelectorAll('h1, h2, h3, button, a, input, select, textarea, label')]
    .filter((one) => isShown(one) && !one.matches('.visually-hidden, [hidden]'))
    .flatMap((one) => {
      const { left, right, width: own } = one.getBoundingClientRect();
      // What is one pixel wide is there for screen readers; what stands wholly beside the page comes when it is asked for.
      if (own <= 1 || right <= 0 || (left >= -1 && right <= width + 1) || scrolls(one)) return [];
      return [one.tagName.toLowerCase() + ' “' + (one.getAttribute('aria-label') || one.innerText || '').trim().slice(0, 40) + '”, ' +
        Math.round(left) + ' to ' + Math.round(right) + ' of ' + width];
    });
})()`;

/** Headings and controls of a page that extend beyond its window, a line each. */
export const whatIsCut = (page: Page): Promise<readonly string[]> => page.evaluate(cut);
