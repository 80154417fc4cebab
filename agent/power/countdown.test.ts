import { expect, test } from 'vitest';
import { announcementsOf, announcementText } from './countdown.ts';

// Guarantee: players are told the remaining time immediately, and again at suitable times; no text directly follows another one.
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

// Guarantee: every `{time}` becomes the remaining time, wherever it is.
test('text', () => {
  expect(announcementText('Stop in {time}. {time}!', 90)).toBe('Stop in 90 s. 90 s!');
  expect(announcementText('In {time}', 300)).toBe('In 5 min');
  expect(announcementText('In {time}', 7200)).toBe('In 2 h');
  expect(announcementText('Soon', 5)).toBe('Soon');
});
