import { expect, test } from 'vitest';
import { readPlayerList } from './player-list.ts';

const id = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const other = '853c80ef-3c37-49fd-aa49-938b674adae6';

// Guarantee: the list is read whole in every spelling, or not at all.
test('lists with ids', () => {
  expect(
    readPlayerList(`There are 2 of a max of 20 players online: Steve (${id}), .Alex_2 (${other})`),
  ).toEqual({
    value: [
      { name: 'Steve', platformId: `minecraft:${id}`, handle: 'Steve' },
      { name: '.Alex_2', platformId: `minecraft:${other}`, handle: '.Alex_2' },
    ],
  });
  expect(
    readPlayerList(`There are 2/20 players online:[VIP, old] Steve (${id.toUpperCase()}), Alex (${other})`),
  ).toEqual({
    value: [
      { name: '[VIP, old] Steve', platformId: `minecraft:${id}`, handle: 'Steve' },
      { name: 'Alex', platformId: `minecraft:${other}`, handle: 'Alex' },
    ],
  });
});

test('lists without ids', () => {
  const plain = (name: string, handle = name) => ({ name, platformId: null, handle });
  expect(readPlayerList('There are 2 of a max 20 players online: Steve, §7[AFK] §fAlex\n')).toEqual({
    value: [plain('Steve'), plain('Alex')],
  });
  expect(readPlayerList('There are 1/20 players online:\nOld Steve')).toEqual({
    value: [plain('Old Steve')],
  });
});

// Guarantee: groups and states that a plug-in writes into the list are not part of a name.
test('EssentialsX', () => {
  const plain = (name: string, handle = name) => ({ name, platformId: null, handle });
  expect(
    readPlayerList(
      '§6There are §c3§6 out of maximum §c20§6 players online.\n§6default§r: Steve, §7[AFK]§r Alex\n§6admins§r: [HIDDEN] [AFK] .Bob',
    ),
  ).toEqual({ value: [plain('Steve'), plain('Alex'), plain('.Bob')] });
  expect(readPlayerList('There are 1/1 out of maximum 20 players online.\ndefault: Steve, Alex')).toEqual({
    value: [plain('Steve'), plain('Alex')],
  });
  expect(readPlayerList('There are 1 out of maximum 20 players online.\ndefault: [VIP] Steve')).toEqual({
    value: [plain('[VIP] Steve', 'Steve')],
  });
});

test('Cuberite', () => {
  const plain = (name: string) => ({ name, platformId: null, handle: name });
  expect(readPlayerList('Players (1): Alice')).toEqual({ value: [plain('Alice')] });
  expect(readPlayerList('Players (2):\nAlice, Bob')).toEqual({ value: [plain('Alice'), plain('Bob')] });
  expect(readPlayerList('Players (0): ')).toEqual({ value: [] });
  expect(readPlayerList('Players (2): Alice')).toHaveProperty('unreadable');
});

test('nobody', () => {
  for (const reply of [
    'There are 0 of a max of 20 players online: ',
    'There are 0 of a max 20 players online:',
    'There are 0/20 players online:\n',
    'There are 0 out of maximum 20 players online.',
  ])
    expect(readPlayerList(reply)).toEqual({ value: [] });
});

test('what is no list, or no whole one, is unreadable', () => {
  for (const reply of [
    '',
    'Unknown or incomplete command, see below for error\nlist uuids<--[HERE]',
    'There are 2 of a max of 20 players online: Steve',
    'There are 0 of a max of 20 players online: Steve',
    'There are 1 of a max of 20 players online: ',
    "There are 2 out of maximum 20 players online.\nThere's no one online in this group!",
    'Gave 64 [Iron Ingot] to Steve',
  ])
    expect(readPlayerList(reply)).toHaveProperty('unreadable');
});
