import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isLiveAway } from '../api/live.ts';
import { retryPauseMs } from '../api/retry-pause.ts';

/** A chunk cannot be loaded although the panel is served: it was updated, or the browser remembers an earlier failure. */
export class PanelReplaced extends Error {
  override readonly name = 'PanelReplaced';
}

const retry = { firstMs: 500, mostMs: 5000 };

/** Whether the panel's files are currently available. */
const isServed = (): Promise<boolean> =>
  fetch('./index.html', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Loads a chunk once it is served. Browsers remember a module that failed to load and never request it again: while the
 * API is known to be away, the chunk is not requested until the panel's start page is served.
 * @throws {PanelReplaced} if the panel was served twice in a row and the chunk could still not be loaded
 */
export const loadWhenServed =
  <PageChunk>(load: () => Promise<PageChunk>): (() => Promise<PageChunk>) =>
  async () => {
    let wasServed = false;
    for (let failures = 1; ; failures += 1) {
      try {
        if (!isLiveAway() || (await isServed())) return await load();
      } catch (error) {
        const isServedNow = await isServed();
        if (isServedNow && wasServed)
          throw new PanelReplaced('a piece of the panel is gone', { cause: error });
        wasServed = isServedNow;
      }
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs(retry, failures)));
    }
  };

export type PageChunk = LazyExoticComponent<ComponentType> & {
  /** Fetched in advance, so that it appears immediately. */
  readonly preload: () => void;
};

/** A part of the panel that is loaded when it is first shown; its module exports it as `Page`. */
export const pageChunk = (load: () => Promise<{ readonly Page: ComponentType }>): PageChunk =>
  Object.assign(
    lazy(() => loadWhenServed(load)().then(({ Page }) => ({ default: Page }))),
    {
      preload() {
        // A failure here is reported when the page is shown.
        if (!isLiveAway()) load().catch(() => undefined);
      },
    },
  );
