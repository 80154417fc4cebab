import { expect, test } from 'vitest';
import type { SavedCommand } from '#contracts/servers/console.ts';
import { completionsOf, recallable } from './completion.ts';

const saved = (name: string, command: string, game: SavedCommand['game'] = null): SavedCommand => ({
  id: name,
  name,
  command,
  game,
  version: 1,
});
const all = [
  saved('Save the world', 'save-all'),
  saved('Say hello', 'broadcast hello'),
  saved('ARK save', 'saveworld', 'ark-asa'),
];

// Guarantee: typed text completes only to commands of this game, by command before name, never to itself and never from nothing.
test('completions', () => {
  const commandsFor = (typed: string) => completionsOf(typed, all, 'minecraft', ['save-off', 'list']);
  expect(commandsFor('SA')).toEqual(['save-all', 'save-off', 'broadcast hello']);
  expect(commandsFor('li')).toEqual(['list']);
  expect(commandsFor('list')).toEqual([]);
  expect(commandsFor('save-all')).toEqual([]);
  expect(commandsFor('  ')).toEqual([]);
  expect(commandsFor('nothing')).toEqual([]);
});

// Guarantee: going back through the earlier commands never stops at the same one twice in a row.
test('recalling', () => {
  expect(recallable(['list', 'list', 'say a', 'list'])).toEqual(['list', 'say a', 'list']);
});
