import type { WindowPlace } from './desktop-record.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** So much of a window has to be on a screen for people to get hold of it, in pixels. */
const graspable = { width: 120, height: 40 };

/** The kept place, unless the screen that it was on is gone. */
export const placeOnScreens = (kept: WindowPlace | null, screens: readonly Area[]): WindowPlace | null => {
  if (!kept) return null;
  const isSeen = screens.some(
    (screen) =>
      overlap(kept.x, kept.width, screen.x, screen.width) >= graspable.width &&
      overlap(kept.y, kept.height, screen.y, screen.height) >= graspable.height &&
      // The title bar, by which it is moved.
      kept.y >= screen.y,
  );
  return isSeen ? kept : null;
};

const overlap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.min(a + aSize, b + bSize) - Math.max(a, b);
