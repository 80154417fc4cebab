import { expect, test } from 'vitest';
import { formatFor } from '#contracts/kernel/format.ts';
import { powerWords } from './power.words.ts';
import { isCountdown, stepInWords } from './step-words.ts';

const said = (step: string, done = 0, total: number | null = null) =>
  (['en', 'pt-BR'] as const).map((language) =>
    stepInWords({ step, done, total }, powerWords[language].steps, formatFor(language)).replace(/\s/g, ' '),
  );

// Guarantee: each step that our agent reports is shown in the language of the panel; an unknown one is shown unchanged.
test('steps', () => {
  expect(said('30 s until the stop', 30, 60)).toEqual(['Announced: 30s left', 'Anunciado: faltam 30 s']);
  expect(said('The game saves')).toEqual(['Saving the world', 'Salvando o mundo']);
  expect(said('The game shuts down')).toEqual(['Waiting for the game to stop', 'Esperando o jogo parar']);
  expect(said('The game is killed')).toEqual([
    'The game did not stop in time and is being killed',
    'O jogo não parou a tempo e está sendo encerrado à força',
  ]);
  expect(said('The game starts')).toEqual(['The game is starting', 'O jogo está iniciando']);
  expect(said('A later step')).toEqual(['A later step', 'A later step']);
});

// Guarantee: an act can be cancelled while it is being announced, and no longer.
test('the countdown', () => {
  expect(isCountdown({ step: '5 s until the stop', done: 55, total: 60 })).toBe(true);
  for (const step of ['The game saves', 'The game shuts down', 'The game starts'])
    expect(isCountdown({ step, done: 0, total: null })).toBe(false);
});
