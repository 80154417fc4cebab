import { expect, test } from 'vitest';
import { announcementsOf, announcementText } from './countdown.ts';

// Guarantee: players hear at once how long it takes, and again at times that fit; no text comes right behind another one.
test.each([
  [1, [1]],
  [5, [5, 4, 3, 2, 1]],
  [12, [12, 5, 4, 3, 2, 1]],
  [60, [60, 30, 10, 5, 4, 3, 2, 1]],
  [61, [61, 30, 10, 5, 4, 3, 2, 1]],
  [300, [300, 120, 60, 30, 10, 5, 4, 3, 2, 1]],
])('%i s', (seconds, expected) => {
  expect(announcementsOf(seconds)).toEqual(expected);
});

// Guarantee: `{time}` becomes what is left, wherever it stands, and as often.
test('text', () => {
  expect(announcementText('Stop in {time}. {time}!', 90)).toBe('Stop in 90 s. 90 s!');
  expect(announcementText('In {time}', 300)).toBe('In 5 min');
  expect(announcementText('In {time}', 7200)).toBe('In 2 h');
  expect(announcementText('Soon', 5)).toBe('Soon');
});
