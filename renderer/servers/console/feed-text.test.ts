import { expect, test } from 'vitest';
import type { FeedItem } from './console-feed.ts';
import { feedAsText, filtered } from './feed-text.ts';

const at = '2026-01-01T00:00:00.000Z';
const items: readonly FeedItem[] = [
  { kind: 'line', key: 1, at, text: '\u001b[32mHeron joined' },
  { kind: 'skipped', key: 2, at, count: 3 },
  {
    kind: 'entry',
    key: 3,
    at,
    entry: {
      id: '1',
      at,
      serverId: 's',
      actor: { kind: 'admin', id: '1', name: 'owner' },
      command: 'list',
      outcome: 'answered',
      reply: 'Heron, Otter\r\n',
      truncated: false,
      durationMs: 3,
      via: 'direct',
      runId: 'r',
    },
  },
];

// Guarantee: the filter finds lines, commands and replies whatever their case.
test.each([
  ['', 3],
  ['heron', 2],
  ['OTTER', 1],
  ['List', 1],
  ['nobody', 0],
])('%j finds %i', (wanted, count) => {
  expect(filtered(items, wanted)).toHaveLength(count);
});

// Guarantee: copied text has no control characters of the game.
test('as text', () => {
  expect(feedAsText(items)).toBe(
    `${at} Heron joined\n${at} [… 3]\n${at} > list [owner: answered]\nHeron, Otter\n`,
  );
});
