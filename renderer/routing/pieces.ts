import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The API has the files of another panel than this one: it was updated. */
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
 * Loads a piece of the program, as often as it takes while nobody is there to give it.
 * @throws {PanelReplaced} from what loads it: the panel is served, and has no such piece any more
 */
export const whileAway =
  <Piece>(load: () => Promise<Piece>): (() => Promise<Piece>) =>
  async () => {
    let lastTry = false;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        return await load();
      } catch (error) {
        if (lastTry) throw new PanelReplaced('a piece of the panel is gone', { cause: error });
        lastTry = await isServed();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };

export type Piece = LazyExoticComponent<ComponentType> & {
  /** Fetched before it is shown, so that it is there at once. */
  readonly preload: () => void;
};

/** A part of the panel that is loaded when it is first shown; its module exports it as `Page`. */
export const piece = (load: () => Promise<{ readonly Page: ComponentType }>): Piece =>
  Object.assign(
    lazy(() => whileAway(load)().then(({ Page }) => ({ default: Page }))),
    // Failing now, it is loaded when it is shown.
    { preload: () => void load().catch(() => undefined) },
  );
