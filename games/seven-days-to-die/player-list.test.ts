import { expect, test } from 'vitest';
import { readPlayerList } from './player-list.ts';

const facts = (ids: string) =>
  `pos=(-162.5, 52.1, -857.0), rot=(0.0, 12.5, 0.0), remote=True, health=92, deaths=0, zombies=4, players=0, score=0, level=1, ${ids}, ip=10.0.0.9, ping=0`;
const bobs = facts('pltfmid=Steam_76561198010715714, crossid=EOS_00023F168EDE4136A17C954EC0B9245D');
const bob = { platformId: 'steam:76561198010715714', handle: '171' };

// Guarantee: the list is read whole, or not at all.
test('the list of players', () => {
  expect(
    readPlayerList(
      `0. id=171, Bob, ${bobs}\r\n1. id=172, Zoë, ${facts('pltfmid=XBL_a-B')}\r\nTotal of 2 in the game`,
    ),
  ).toEqual({
    value: [
      { name: 'Bob', ...bob },
      { name: 'Zoë', platformId: 'xbl:a-B', handle: '172' },
    ],
  });
  expect(
    readPlayerList(`0. id=171, Bob, ${facts('steamid=76561198010715714')}\nTotal of 1 in the game`),
  ).toEqual({
    value: [{ name: 'Bob', ...bob }],
  });
  expect(readPlayerList('Total of 0 in the game')).toEqual({ value: [] });
  for (const reply of [
    '',
    `0. id=171, Bob, ${bobs}`,
    `0. id=171, Bob, ${bobs}\nTotal of 2 in the game`,
    'Total of 1 in the game',
    `0. id=171, Bob, pos=(1\nTotal of 1 in the game`,
    "*** ERROR: unknown command 'lp'",
  ])
    expect(readPlayerList(reply)).toHaveProperty('unreadable');
});

// Guarantee: a name, whatever it contains, changes no one's identity.
test.each([
  'Bob, Jr',
  'Bob, pos=(',
  'Bob, pos=(1, 2, 3), rot=(1, 2, 3)',
  `Bob, ${facts('pltfmid=Steam_76561198000000000')}`,
  'Total of 9 in the game',
  '1. id=9',
])('the name %j', (name) => {
  expect(readPlayerList(`0. id=171, ${name}, ${bobs}\nTotal of 1 in the game`)).toEqual({
    value: [{ name, ...bob }],
  });
});
