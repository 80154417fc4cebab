import { expect, test } from 'vitest';
import type { SavedCommand } from '#contracts/console.ts';
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

// Guarantee: what is typed completes to commands of this game alone, by command before name, never to itself or from nothing.
test('completions', () => {
  const commandsFor = (typed: string) => completionsOf(typed, all, 'minecraft').map(({ command }) => command);
  expect(commandsFor('SA')).toEqual(['save-all', 'broadcast hello']);
  expect(commandsFor('save-all')).toEqual([]);
  expect(commandsFor('  ')).toEqual([]);
  expect(commandsFor('nothing')).toEqual([]);
});

// Guarantee: going back through one's commands never stands still on the same one twice.
test('recalling', () => {
  expect(recallable(['list', 'list', 'say a', 'list'])).toEqual(['list', 'say a', 'list']);
});
