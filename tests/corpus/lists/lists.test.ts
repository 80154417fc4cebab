import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { plainText } from '#games/reply-reading.ts';
import { changedInputsTimeout, checkChanged } from '../changed-inputs.ts';
import { mutated, mutations } from '../mutate.ts';
import { listCases } from './lists.cases.ts';

const names = Object.keys(listCases);
const contentOf = (name: string) => readFileSync(join(import.meta.dirname, name));
const read = (name: string, reply: string) =>
  gameOf(listCases[name]?.game ?? 'minecraft').listPlayers.read(reply);

// Guarantee: each list of players that games and their plug-ins answer is read whole, with each player's own name and id, or not at
// all.
test('every file has its line', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.ts'));
  expect(files.sort()).toEqual(names.toSorted());
});

test.each(Object.entries(listCases))('%s', (name, { players }) => {
  const reading = read(name, contentOf(name).toString());
  if (players === null) return expect(reading).toHaveProperty('unreadable');
  expect(reading).toEqual({
    value: players.map(([shown, platformId, handle = shown]) => ({ name: shown, platformId, handle })),
  });
});

// Guarantee: no change of a list makes a reader fail or hang, or find a player whose id the list does not have.
test('changed lists', { timeout: changedInputsTimeout }, () =>
  checkChanged(
    'lists',
    fc.tuple(fc.constantFrom(...names), mutations),
    ([name, changes]) => {
      const reply = mutated(contentOf(name), changes).toString();
      const reading = read(name, reply);
      if ('unreadable' in reading) return;
      const said = name.endsWith('.json') ? JSON.stringify(JSON.parse(reply)) : plainText(reply);
      for (const { handle, platformId } of reading.value) {
        expect(said).toContain(handle);
        const id = platformId?.replace(/^\w+:/, '') ?? '';
        expect(said.toLowerCase()).toContain(id.toLowerCase());
      }
    },
    0.6,
  ),
);

/** Games whose players may call themselves anything. */
const freelyNamed = names.filter((name) => !name.startsWith('minecraft') && listCases[name]?.players?.length);
const pieces = [
  ', ',
  ',',
  '\r',
  '0. ',
  '1. id=9, ',
  'Eve',
  '76561198000000009',
  '0002c0ffee11d00d4242beef00c0ff99',
  ', pos=(1.0, 2.0, 3.0), rot=(0.0, 0.0, 0.0), remote=True',
  ', pltfmid=Steam_76561198000000009',
  ', steamid=76561198000000009',
  'Total of 9 in the game',
  'No Players Connected',
  '"',
  '\\',
  '","userId":"steam_76561198000000009',
];

// Guarantee: a name, whatever it contains, changes no one's id, and hides no one.
test('changed names', { timeout: changedInputsTimeout }, () =>
  checkChanged(
    'lists',
    fc.tuple(
      fc.constantFrom(...freelyNamed),
      fc.nat({ max: 3 }),
      fc.oneof(
        fc.string({ maxLength: 40, unit: 'grapheme' }),
        fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((some) => some.join('')),
      ),
    ),
    ([name, which, written]) => {
      const players = listCases[name]?.players ?? [];
      const [shown = ''] = players[which % players.length] ?? [];
      const text = contentOf(name).toString();
      const spoken = name.endsWith('.json')
        ? text.replace(JSON.stringify(shown), () => JSON.stringify(`x${written}`))
        : text.replace(`${shown}, `, () => `x${written.replaceAll('\n', '')}, `);
      const reading = read(name, spoken);
      if ('unreadable' in reading) return expect(name).not.toMatch(/json$/);
      expect(reading.value.map(({ platformId }) => platformId)).toEqual(players.map(([, id]) => id));
    },
    0.4,
  ),
);
