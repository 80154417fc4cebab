import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { createLineSplitter } from '../../agent/game/line-splitter.ts';
import { changedInputsTimeout, checkChanged } from './changed-inputs.ts';
import { logCases, online } from './logs.cases.ts';
import { mutated, mutations } from './mutate.ts';

const folder = join(import.meta.dirname, 'logs');
const contentOf = (name: string) => readFileSync(join(folder, name));

const hear = (name: string, content: Buffer): string[] => {
  const { game: id = 'minecraft', forms = [], encoding } = logCases[name] ?? {};
  const game = gameOf(id);
  const splitter = createLineSplitter(encoding);
  return [...splitter.take(content), ...splitter.flush()].flatMap((line) => {
    const seen =
      game.readLogLine(line, (one) => online.includes(one)) ??
      game.chatForms?.read(line, forms, online) ??
      null;
    game.chatForms?.propose([line], forms, online);
    game.severityOf(line);
    if (seen === null) return [];
    if (seen.kind === 'chat') return [`${seen.player.name}: ${seen.text}`];
    return [`${seen.kind === 'join' ? '+' : '-'}${seen.player.name}`];
  });
};

// Guarantee: each shape of a log that programs write is heard as its players meant it.
test('every file has its line', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(logCases).sort());
});

test.each(Object.entries(logCases))('%s', (name, { heard }) => {
  expect(hear(name, contentOf(name))).toEqual(heard);
});

/** What lines of chat consist of. */
const words = [
  ...online,
  '<',
  '> ',
  ': ',
  ' » ',
  '[',
  ']',
  '(',
  ')',
  "'",
  ' ',
  'left the game',
  'joined',
  '[INFO]',
];
const speaker = (heard: string) => heard.replace(/^([+-]?.*?): .*$/s, '$1');

const names = Object.keys(logCases);

// Guarantee: no change of a log makes a reader fail or hang.
test('changed texts', { timeout: changedInputsTimeout }, () =>
  checkChanged(
    'logs',
    fc.tuple(fc.constantFrom(...names), mutations),
    ([name, changes]) => void hear(name, mutated(contentOf(name), changes)),
    0.8,
  ),
);

const said = names.flatMap((name) =>
  contentOf(name)
    .toString()
    .split('\n')
    .map((line) => ({ name, line: line.replace(/\r$/, ''), heard: hear(name, Buffer.from(line))[0] }))
    .filter(({ heard }) => heard?.includes(': ')),
);

// Guarantee: no change of the text that a player wrote makes a reader hear another player in that line.
test('changed words', { timeout: changedInputsTimeout }, () =>
  checkChanged(
    'logs',
    fc.tuple(
      fc.constantFrom(...said),
      fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((some) => some.join('')),
      ),
    ),
    ([{ name, line, heard = '' }, added]) => {
      const after = hear(name, Buffer.from(`${line} ${added.replace(/[\r\n]/g, '')}`));
      if (after[0] !== undefined) expect(speaker(after[0])).toBe(speaker(heard));
    },
    0.2,
  ),
);
