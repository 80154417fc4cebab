import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isLiveAway } from '../wire/live.ts';

/** A chunk cannot be loaded though the panel is served: it was updated, or the browser remembers that it once failed. */
export class PanelReplaced extends Error {
  override readonly name = 'PanelReplaced';
}

const firstPauseMs = 500;
const longestPauseMs = 5000;

/** Whether the panel's files can be had at the moment. */
const isServed = (): Promise<boolean> =>
  fetch('./index.html', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Loads a chunk once it is served. Browsers remember a module that failed to load and never ask for it again: while the
 * API is known to be away, nothing is asked for.
 * @throws {PanelReplaced} when the panel was served twice and the chunk could still not be loaded
 */
export const loadWhenServed =
  <PageChunk>(load: () => Promise<PageChunk>): (() => Promise<PageChunk>) =>
  async () => {
    let wasServed = false;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        if (!isLiveAway() || (await isServed())) return await load();
      } catch (error) {
        const isThere = await isServed();
        if (isThere && wasServed) throw new PanelReplaced('a piece of the panel is gone', { cause: error });
        wasServed = isThere;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

export type PageChunk = LazyExoticComponent<ComponentType> & {
  /** Fetched before it is shown, so that it is there at once. */
  readonly preload: () => void;
};

/** A part of the panel that is loaded when it is first shown; its module exports it as `Page`. */
export const pageChunk = (load: () => Promise<{ readonly Page: ComponentType }>): PageChunk =>
  Object.assign(
    lazy(() => loadWhenServed(load)().then(({ Page }) => ({ default: Page }))),
    {
      preload() {
        // Failing now, it is told when it is shown.
        if (!isLiveAway()) load().catch(() => undefined);
      },
    },
  );
