import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { createLineSplitter } from '../../agent/game/line-splitter.ts';
import { logCases, online } from './logs.cases.ts';
import { mutated, mutations } from './mutate.ts';

const folder = join(import.meta.dirname, 'logs');
const contentOf = (name: string) => readFileSync(join(folder, name));

const hear = (name: string, content: Buffer): string[] => {
  const { game: id, forms = [] } = logCases[name] ?? { game: 'minecraft' as const };
  const game = gameOf(id);
  const splitter = createLineSplitter();
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

const speaker = (heard: string) => heard.replace(/^([+-]?.*?): .*$/s, '$1');

// Guarantee: no change of the text that a player wrote makes a reader fail or hang, or hear another player in that line.
test('changed texts', () => {
  const names = Object.keys(logCases);
  fc.assert(
    fc.property(fc.constantFrom(...names), mutations, (name, changes) => {
      hear(name, mutated(contentOf(name), changes));
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.string({ maxLength: 80 }).map((text) => text.replace(/[\r\n]/g, '')),
      (name, added) => {
        const lines = contentOf(name).toString().split('\n');
        for (const line of lines) {
          const [before] = hear(name, Buffer.from(line));
          if (before?.includes(': ') !== true) continue;
          const [after] = hear(name, Buffer.from(`${line.replace(/\r$/, '')} ${added}`));
          if (after !== undefined) expect(speaker(after)).toBe(speaker(before));
        }
      },
    ),
    { numRuns: 100 },
  );
});
