import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GameId } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import { runCount } from '#harness/kill-count.ts';
import { listCases } from './lists.cases.ts';
import { mutated, mutations } from './mutate.ts';

const folder = join(import.meta.dirname, 'lists');
const names = Object.keys(listCases);
const contentOf = (name: string) => readFileSync(join(folder, name));
const games: readonly (readonly [string, GameId])[] = [
  ['ark-ascended', 'ark-asa'],
  ['ark', 'ark-se'],
  ['seven-days', 'seven-days-to-die'],
  ['palworld', 'palworld'],
  ['minecraft', 'minecraft'],
];
const read = (name: string, text: string) => {
  const [, game = 'minecraft'] = games.find(([prefix]) => name.startsWith(prefix)) ?? [];
  return gameOf(game).listPlayers.read(text);
};

// Guarantee: each shape of a list of players is read whole, with names and ids as the game means them, or not at all.
test('every file has its line', () => {
  expect(readdirSync(folder).sort()).toEqual(names.sort());
});

test.each(Object.entries(listCases))('%s', (name, { players }) => {
  const found = read(name, contentOf(name).toString());
  const shown = 'value' in found ? found.value.map((one) => [one.name, one.platformId, one.handle]) : null;
  expect(shown).toEqual(players);
});

// Guarantee: no change of a list makes a reader fail, or gives anyone an id that the reply does not contain.
test('changed lists', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), mutations, (name, changes) => {
      const text = mutated(contentOf(name), changes).toString();
      const found = read(name, text);
      for (const { platformId } of 'value' in found ? found.value : [])
        if (platformId !== null)
          expect(text.toLowerCase()).toContain(platformId.slice(platformId.indexOf(':') + 1).toLowerCase());
    }),
    { numRuns: runCount({ day: 400, night: 20_000 }) },
  );
});
