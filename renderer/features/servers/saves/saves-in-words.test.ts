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

// Guarantee: what the agent notes beside a backup, or of an end, is said in the language of the panel with its files and replies, also where the
// agent has cut it off; a note of a later agent comes unchanged.
test('notes', () => {
  const particulars: readonly (readonly [note: string, english: string, portuguese: string])[] = [
    ['Links were left out: a.dat, b.dat and 3 more.', 'a.dat, b.dat and 3 more.', 'a.dat, b.dat e mais 3.'],
    [
      'The game answers, but no file of these worlds has changed since 2026-01-02T03:04:05.000Z: it may keep its worlds elsewhere. Name their folder in config.json as saves.from.',
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04:05.000Z',
    ],
    ['Links were left out: a.dat, b.d…', 'a.dat, b.d….', 'a.dat, b.d….'],
    [
      'Files whose names are not UTF-8, or too long, are missing: x.',
      'not UTF-8 or too long: x.',
      'demais: x.',
    ],
    [
      'The game let nobody read these files, and they are missing: db.lock.',
      ': db.lock.',
      'faltam: db.lock.',
    ],
    [
      'The game changed files while they were copied: r.0.0.mca.',
      'not be whole: r.0.0.mca.',
      'inteiros: r.0.0.mca.',
    ],
    [
      'The game may have written files while they were copied: it did not stop saving. Said “no”.',
      'did not stop saving, so it may have written to files while they were copied. Said “no”.',
      'enquanto eram copiados. Said “no”.',
    ],
    [
      'The game did not save: disk full',
      'did not save first; the backup holds what was on the disk. disk full',
      'disk full',
    ],
    [
      'The game did not save first; the backup holds what was on the disk. Disk full.',
      'did not save first; the backup holds what was on the disk. Disk full.',
      'o backup tem o que estava no disco. Disk full.',
    ],
    [
      'The game did not say that it saved first; the backup holds what was on the disk. ',
      'on the disk before.',
      'já estava no disco.',
    ],
    [
      'The game could not be asked to save first (unreachable); the backup holds what was on the disk.',
      'could not be asked',
      'Não foi possível pedir',
    ],
    ['The game has no command that saves.', 'no command that saves', 'não tem comando'],
    [
      'The game did not save by itself before the backup, and still does not.',
      'still does not.',
      'sem salvar.',
    ],
    [
      'The game was not told to save again yet; the agent goes on trying.',
      'goes on trying.',
      'continua tentando.',
    ],
    ["More (2) on the game's machine: castellan-agent saves list", '(2)', 'sobre este backup (2)'],
    [
      'What was restored, and what the game wrote since, is kept until the next restore is confirmed or undone: /srv/.world',
      'decide about the next restore: /srv/.world',
      'próxima restauração: /srv/.world',
    ],
    [
      'No saved world was found in /srv/a. Name its folder in config.json as saves.from.',
      'found in /srv/a. Name',
      'encontrado em /srv/a. Informe',
    ],
    ['The disk is full. Make room there and try again.', 'The disk is full.', 'O disco está cheio.'],
    ['The agent ended during the backup. Start it again.', 'Start it again.', 'Faça-o de novo.'],
    ['A later note', 'A later note', 'A later note'],
  ];
  for (const [said, english, portuguese] of particulars) {
    const [inEnglish, inPortuguese] = note(said);
    expect(inEnglish).toContain(english);
    expect(inPortuguese).toContain(portuguese);
  }
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
