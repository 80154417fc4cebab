import { expect, test } from 'vitest';
import { savesWords } from './saves.words.ts';
import { clockTime, noteInWords, percentOf, stepInWords } from './saves-in-words.ts';

const step = (text: string) =>
  (['en', 'pt-BR'] as const).map((language) =>
    stepInWords({ step: text, done: 0, total: null }, savesWords[language].steps),
  );
const note = (text: string) =>
  (['en', 'pt-BR'] as const).map((language) => noteInWords(text, savesWords[language].notes));

// Guarantee: each step that our agent tells of is said in the language of the panel; one that it does not know comes unchanged.
test('steps', () => {
  expect(step('Looking for the worlds')).toEqual(['looking for the worlds', 'procurando os mundos']);
  expect(step('Asking the game to save')).toEqual(['the game saves', 'o jogo está salvando']);
  expect(step('Copying the saves')).toEqual(['the worlds are copied', 'copiando os mundos']);
  expect(step('Unpacking the backup')).toEqual([
    'the backup is unpacked and checked',
    'descompactando e conferindo o backup',
  ]);
  expect(step('A later step')).toEqual(['A later step', 'A later step']);
  expect(stepInWords(null, savesWords.en.steps)).toBe('waiting for the Game Agent');
});

// Guarantee: what the agent notes beside a backup is said in the language of the panel with its files and reasons, and a note
// of a later agent comes unchanged.
test('notes', () => {
  const [links, ligacoes] = note('Links were left out: a.dat, b.dat and 3 more.');
  expect(links).toContain('a.dat, b.dat and 3 more');
  expect(ligacoes).toContain('a.dat, b.dat e mais 3');
  const [changed, mudou] = note('The game changed files while they were copied: region/r.0.0.mca.');
  expect(changed).toContain('may not be whole: region/r.0.0.mca.');
  expect(mudou).toContain('podem não estar inteiros: region/r.0.0.mca.');
  for (const text of note('The game did not save: disk is full')) expect(text).toContain('disk is full');
  expect(
    note(
      'The game could not be asked to save first (unreachable); the backup holds what was on the disk.',
    )[1],
  ).toContain('Não foi possível pedir');
  expect(note('The game has no command that saves.')[1]).toContain('não tem comando');
  for (const text of note(
    "There is more to know about this backup (2). Read it on the game's machine: castellan-agent saves list",
  ))
    expect(text).toContain('(2)');
  expect(note('A later note')).toEqual(['A later note', 'A later note']);
});

// Guarantee: progress is never shown beyond its end, nor before its whole is known.
test('percent', () => {
  expect(percentOf({ step: '', done: 3, total: null })).toBeNull();
  expect(percentOf({ step: '', done: 0, total: 0 })).toBeNull();
  expect(percentOf({ step: '', done: 999, total: 1000 })).toBe(99);
  expect(percentOf({ step: '', done: 1001, total: 1000 })).toBe(100);
});

test('the time of the night', () => {
  expect([0, 270, 1439].map(clockTime)).toEqual(['00:00', '04:30', '23:59']);
});
