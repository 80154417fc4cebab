import type { WindowPlace } from './desktop-record.ts';

/** In logical pixels: a screen at 150 percent has two thirds of its physical ones. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Area, 'width' | 'height'>;

/** The part of a window that must be on a screen so that people can grab it. */
const graspable = { width: 120, height: 40 };

/** Pages need at least this much; a smaller screen gives what it has. */
const smallest: Size = { width: 720, height: 480 };
const usualSize: Size = { width: 1200, height: 800 };

interface FittedWindow {
  readonly place: WindowPlace;
  /** The smallest size that people can give it. */
  readonly smallest: Size;
}

/**
 * Where a window opens: in its kept place, as far as that is on a screen, and nowhere larger than the area that the taskbar
 * leaves; otherwise in the middle of the main screen.
 * @param areas what each screen has room for, the main one first
 */
export const fitToScreens = (kept: WindowPlace | null, areas: readonly [Area, ...Area[]]): FittedWindow => {
  const holding = kept && areas.toSorted((a, b) => shared(kept, b) - shared(kept, a)).find(holds(kept));
  const area = holding ?? areas[0];
  const size = kept ?? usualSize;
  const width = Math.min(size.width, area.width);
  const height = Math.min(size.height, area.height);
  return {
    place: kept && holding ? within(kept, areas, area, { width, height }) : centred(area, { width, height }),
    smallest: {
      width: Math.min(smallest.width, area.width),
      height: Math.min(smallest.height, area.height),
    },
  };
};

const overlap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.max(0, Math.min(a + aSize, b + bSize) - Math.max(a, b));

const shared = (a: Area, b: Area): number =>
  overlap(a.x, a.width, b.x, b.width) * overlap(a.y, a.height, b.y, b.height);

/** Whether people could grab the window there by its title bar. */
const holds =
  (window: Area) =>
  (area: Area): boolean =>
    overlap(window.x, window.width, area.x, area.width) >= graspable.width &&
    overlap(window.y, window.height, area.y, area.height) >= graspable.height &&
    window.y >= area.y;

/** A window that is fully visible across several screens stays where people have put it. */
const within = (kept: WindowPlace, areas: readonly Area[], area: Area, size: Size): WindowPlace => {
  const seen = areas.reduce((sum, one) => sum + shared(kept, one), 0);
  if (seen === kept.width * kept.height) return kept;
  return {
    ...size,
    x: Math.min(Math.max(kept.x, area.x), area.x + area.width - size.width),
    y: Math.min(Math.max(kept.y, area.y), area.y + area.height - size.height),
  };
};

const centred = (area: Area, size: Size): WindowPlace => ({
  ...size,
  x: area.x + Math.round((area.width - size.width) / 2),
  y: area.y + Math.round((area.height - size.height) / 2),
});
