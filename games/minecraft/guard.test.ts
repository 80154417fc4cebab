import { expect, test } from 'vitest';
import type { GuardedGift } from '../store-forms.ts';
import { guard } from './guard.ts';
import { store } from './store.ts';

const steve = {
  name: 'Steve',
  handle: 'Steve',
  platformId: 'minecraft:069a79f4-44e9-4726-a5be-fca90e38aaf5',
};
const gift: GuardedGift = {
  id: '0b9f2c1e-5a77-4d0e-9a51-3f1a5c2d7e60-1',
  give: { player: steve, item: 'minecraft:iron_ingot', quantity: 64 },
};
const byName: GuardedGift = { ...gift, give: { ...gift.give, player: { name: 'Steve' } } };

// Guarantee: a gift carries its guard in the same command: it is skipped if already given or withdrawn, and it sets the mark.
test('guarded gifts, by UUID and by name', () => {
  expect(guard.render(gift, 'namespaced')).toEqual({
    command:
      'minecraft:execute unless data storage castellan:deliveries {"0b9f2c1e-5a77-4d0e-9a51-3f1a5c2d7e60-1":1b} ' +
      'unless data storage castellan:deliveries {"0b9f2c1e-5a77-4d0e-9a51-3f1a5c2d7e60-1":2b} ' +
      'store success storage castellan:deliveries "0b9f2c1e-5a77-4d0e-9a51-3f1a5c2d7e60-1" byte 1 ' +
      'as 069a79f4-44e9-4726-a5be-fca90e38aaf5 run minecraft:give @s minecraft:iron_ingot 64',
  });
  expect(guard.render(byName, 'plain')).toEqual({
    command: expect.stringMatching(/^execute unless .* byte 1 run give Steve minecraft:iron_ingot 64$/),
  });
});

test('what asks for marks, withdraws and forgets', () => {
  expect(guard.query.command('a-1', 'namespaced')).toBe(
    'minecraft:data get storage castellan:deliveries "a-1"',
  );
  expect(guard.withdraw('a-1', 'plain')).toBe(
    'execute unless data storage castellan:deliveries {"a-1":1b} run data modify storage castellan:deliveries "a-1" set value 2b',
  );
  expect(guard.forget('a-1', 'plain')).toBe('data remove storage castellan:deliveries "a-1"');
  for (const id of ['', 'a"', 'a b', 'a\n', 'x'.repeat(65)])
    expect(() => guard.query.command(id, 'plain')).toThrow(/no id/);
});

test.each([
  ['Storage castellan:deliveries has the following contents: 1b', 'given'],
  ['Storage castellan:deliveries has the following contents: 0b\n', 'refused'],
  ['Storage castellan:deliveries has the following contents: 2b', 'withdrawn'],
  ['Found no elements matching "a-1"', 'absent'],
  ['Storage castellan:deliveries has the following contents: 3b', 'unreadable'],
  ['Storage castellan:deliveries has the following contents: {a: 1b}', 'unreadable'],
  ['Storage other:deliveries has the following contents: 1b', 'unreadable'],
  [
    'Found no elements matching "a-1"\nStorage castellan:deliveries has the following contents: 1b',
    'unreadable',
  ],
  ['', 'unreadable'],
  ['Unknown or incomplete command, see below for error\ndata<--[HERE]', 'unreadable'],
])('%j says that the gift is %s', (reply, mark) => {
  expect(guard.query.read(reply)).toBe(mark);
});

test.each([
  ['The time is 123456', 123456],
  ['The game time is 2037 tick(s)', 2037],
  ['The time is -1', null],
  ['The current time is 7:00', null],
  ['', null],
])('%j is the clock at %s', (reply, ticks) => {
  expect(guard.clock.read(reply)).toBe(ticks);
});

// Guarantee: an answer proves only what it says; after silence the mark decides.
test.each([
  ['Gave 64 [Iron Ingot] to Steve', 'done'],
  ['', 'unproven'],
  [' \n', 'unproven'],
  ['Test failed', 'unproven'],
  ['Gave 63 [Iron Ingot] to Steve', 'unproven'],
  ['Gave 64 [Iron Ingot] to Alex', 'unproven'],
  ['No player was found', 'later'],
  ['No entity was found', 'later'],
  ["Unknown item 'minecraft:nope'\n...craft:nope<--[HERE]", 'failed'],
  ['Unknown or incomplete command, see below for error\nminecraft:execute<--[HERE]', 'later'],
])('%j is %s', (reply, verdict) => {
  expect(guard.read(reply, gift).verdict).toBe(verdict);
});

// Guarantee: everything that is sold fits a command with its guard, and is never so much that the game refuses it without reporting
// a failure.
test('items too long for their guard, and amounts', () => {
  const named = (length: number) => `stone[custom_name='${'é'.repeat(length)}']`;
  expect(store.itemFault(named(400), undefined)).toBeNull();
  expect(store.itemFault(named(600), undefined)).toMatch(/too long/);
  expect(store.itemFault('minecraft:iron_ingot', 1)).toMatch(/no quality/);
  expect(store.itemFault('Iron Ingot', undefined)).not.toBeNull();
  for (const quantity of [0, -1, 1.5, 101, Number.NaN])
    expect(guard.render({ ...gift, give: { ...gift.give, quantity } }, 'plain')).toHaveProperty('refused');
  for (const name of ['@a', '@s', 'Steve Alex', 'Steve\nstop', '"Steve"', ''])
    expect(guard.render({ ...gift, give: { ...gift.give, player: { name } } }, 'plain')).toHaveProperty(
      'refused',
    );
});
