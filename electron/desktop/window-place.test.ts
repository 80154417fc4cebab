import { expect, test } from 'vitest';
import { type Area, fitToScreens } from './window-place.ts';

const full: Area = { x: 0, y: 0, width: 1920, height: 1040 };
/** 1366×768 with a taskbar of 48, at 100 and at 150 percent. */
const laptop: Area = { x: 0, y: 0, width: 1366, height: 720 };
const zoomedLaptop: Area = { x: 0, y: 0, width: 911, height: 464 };
const left: Area = { x: -1920, y: 0, width: 1920, height: 1040 };

const isWithin = (place: Area, area: Area) =>
  place.x >= area.x &&
  place.y >= area.y &&
  place.x + place.width <= area.x + area.width &&
  place.y + place.height <= area.y + area.height;

// Guarantee: no part of the window is below the taskbar or off screen, also where the screen is smaller than the window's usual
// or comfortable size.
test.each([laptop, zoomedLaptop, full, { x: 100, y: 48, width: 640, height: 360 }])('fits %o', (area) => {
  const { place, smallest } = fitToScreens(null, [area]);
  expect(isWithin(place, area)).toBe(true);
  expect(smallest.width).toBeLessThanOrEqual(area.width);
  expect(smallest.height).toBeLessThanOrEqual(area.height);
});

// Guarantee: a place that was kept on another screen, or at another scale, never hides the title bar or the window.
test.each([
  ['on a screen that is gone', { x: -1800, y: 100, width: 1200, height: 800 }],
  ['below', { x: 100, y: 2000, width: 1200, height: 800 }],
  ['its title bar above', { x: 100, y: -300, width: 1200, height: 800 }],
  ['only a corner left', { x: 1340, y: 700, width: 1200, height: 800 }],
  ['too large', { x: 0, y: 0, width: 2560, height: 1400 }],
  ['half beyond', { x: 900, y: 300, width: 1200, height: 700 }],
])('%s', (_what, kept) => {
  for (const area of [laptop, zoomedLaptop])
    expect(isWithin(fitToScreens(kept, [area]).place, area)).toBe(true);
});

// Guarantee: where it is fully visible, the window stays where people have put it, also across two screens.
test('a place that is fine', () => {
  for (const kept of [
    { x: 40, y: 60, width: 900, height: 600 },
    { x: -1900, y: 0, width: 1900, height: 1040 },
    { x: -400, y: 100, width: 1000, height: 700 },
  ])
    expect(fitToScreens(kept, [full, left]).place).toEqual(kept);
});

// Guarantee: it opens on the screen that it was on, not on the main one.
test('on its own screen', () => {
  const { place } = fitToScreens({ x: -1900, y: 500, width: 1200, height: 800 }, [full, left]);
  expect(isWithin(place, left)).toBe(true);
});
