import { expect, test } from 'vitest';
import { savesWords } from './saves.words.ts';
import { clockTime, noteInWords, percentOf, stepInWords } from './saves-in-words.ts';

const step = (text: string) =>
  (['en', 'pt-BR'] as const).map((language) =>
    stepInWords({ step: text, done: 0, total: null }, savesWords[language].steps),
  );
const note = (text: string) =>
  (['en', 'pt-BR'] as const).map((language) => noteInWords(text, savesWords[language].notes));

// Guarantee: each step that our agent reports is shown in the language of the panel; an unknown one is shown unchanged.
test('steps', () => {
  expect(step('Looking for the worlds')).toEqual(['Looking for the worlds', 'Procurando os mundos']);
  expect(step('Asking the game to save')).toEqual(['The game is saving', 'O jogo está salvando']);
  expect(step('Copying the saves')).toEqual(['Copying the worlds', 'Copiando os mundos']);
  expect(step('Unpacking the backup')).toEqual([
    'Unpacking and checking the backup',
    'Descompactando e conferindo o backup',
  ]);
  expect(step('A later step')).toEqual(['A later step', 'A later step']);
  expect(stepInWords(null, savesWords.en.steps)).toBe('Waiting for the Game Agent');
});

// Guarantee: the agent's notes on a backup, or on how an act ended, are shown in the language of the panel with their
// files and replies, also where the agent has cut them off; a note from a later agent is shown unchanged.
test('notes', () => {
  const particulars: readonly (readonly [note: string, english: string, portuguese: string])[] = [
    ['Links were left out: a.dat, b.dat and 3 more.', 'a.dat, b.dat and 3 more.', 'a.dat, b.dat e mais 3.'],
    [
      'The game answers, but no file of these worlds has changed since 2026-01-02T03:04:05.000Z: it may keep its worlds elsewhere. Name their folder in config.json as saves.from.',
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04:05.000Z',
    ],
    ['Folders that look like worlds were left out: old/a.', 'were skipped: old/a.', 'ignoradas: old/a.'],
    ['Links were left out: a.dat, b.d…', 'a.dat, b.d….', 'a.dat, b.d….'],
    [
      'Files whose names are not UTF-8, or too long, are missing: x.',
      'too long or not UTF-8: x.',
      'UTF-8: x.',
    ],
    [
      'The game let nobody read these files, and they are missing: db.lock.',
      ': db.lock.',
      'bloqueou: db.lock.',
    ],
    [
      'The game changed files while they were copied: r.0.0.mca.',
      'may be incomplete: r.0.0.mca.',
      'incompletos: r.0.0.mca.',
    ],
    [
      'The game may have written files while they were copied: it did not stop saving. Said “no”.',
      'did not pause saving, so files may have changed during the backup. Said “no”.',
      'durante o backup. Said “no”.',
    ],
    [
      'The game did not save: disk full',
      'did not save first, so the backup holds the last saved state. disk full',
      'disk full',
    ],
    [
      'The game did not save first; the backup holds what was on the disk. Disk full.',
      'did not save first, so the backup holds the last saved state. Disk full.',
      'o backup tem o último estado salvo. Disk full.',
    ],
    [
      'The game did not say that it saved first; the backup holds what was on the disk. ',
      'may hold an older state.',
      'um estado mais antigo.',
    ],
    [
      'The game could not be asked to save first (unreachable); the backup holds what was on the disk.',
      'could not be asked',
      'Não foi possível pedir',
    ],
    ['The game has no command that saves.', 'no save command', 'não tem comando'],
    [
      'The game did not save by itself before the backup, and still does not.',
      'off before the backup and still is.',
      'continua assim.',
    ],
    [
      'The game was not told to save again yet; the agent goes on trying.',
      'keeps trying.',
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
      'found in /srv/a. Set',
      'encontrado em /srv/a. Defina',
    ],
    ['The disk is full. Make room there and try again.', 'The disk is full.', 'O disco está cheio.'],
    [
      'The agent ended during the backup. Start it again.',
      'Start the backup again.',
      'Inicie o backup de novo.',
    ],
    ['A later note', 'A later note', 'A later note'],
  ];
  for (const [said, english, portuguese] of particulars) {
    const [inEnglish, inPortuguese] = note(said);
    expect(inEnglish).toContain(english);
    expect(inPortuguese).toContain(portuguese);
  }
});

// Guarantee: progress is never shown beyond its end, nor before its total is known.
test('percent', () => {
  expect(percentOf({ step: '', done: 3, total: null })).toBeNull();
  expect(percentOf({ step: '', done: 0, total: 0 })).toBeNull();
  expect(percentOf({ step: '', done: 999, total: 1000 })).toBe(99);
  expect(percentOf({ step: '', done: 1001, total: 1000 })).toBe(100);
});

test('the time of the night', () => {
  expect([0, 270, 1439].map(clockTime)).toEqual(['00:00', '04:30', '23:59']);
});
