import { expect, test } from 'vitest';
import { formatFor } from '#contracts/kernel/format.ts';
import type { TimelineEntry } from '#contracts/people/timelines.ts';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { tellEntry } from './tell-entry.ts';
import { timelineWords } from './timeline.words.ts';

type Command = Extract<TimelineEntry, { type: 'command' }>;

const told = (
  command: Command['command'],
  outcome: Command['outcome'],
  language: 'en' | 'pt-BR' = 'en',
  gameError?: true,
) => {
  const entry: Command = {
    id: '3-1',
    at: '2026-01-01T00:00:00.000Z',
    type: 'command',
    command,
    serverId: null,
    text: null,
    outcome,
    ...(gameError && { gameError }),
    by: { actor: 'admin:1', name: 'Ana' },
  };
  const { sentence, details } = tellEntry(entry, {
    words: timelineWords[language],
    format: formatFor(language),
    points: String,
    serverName: (id) => id,
    playerName: () => null,
    outcome: (name, isGameError) =>
      isGameError ? outcomesWords[language].gameError : outcomesWords[language].outcomes[name],
  });
  return [sentence.replaceAll(/[\u2068\u2069]/g, ''), ...details];
};

// Guarantee: a timeline claims no more about a command than what is known: that it was requested, and what the console replied.
test('commands', () => {
  expect(told('kick', 'answered')).toEqual(['Kick by Ana', 'Replied']);
  expect(told('kick', 'answered', 'en', true)).toEqual(['Kick by Ana', 'Rejected by the game']);
  expect(told('kick', 'timeout')).toEqual(['Kick by Ana', 'No reply']);
  expect(told('whitelist-add', 'answered')).toEqual(['Whitelist entry requested by Ana', 'Replied']);
  expect(told('whitelist-remove', null)).toEqual([
    'Removal from the whitelist requested by Ana',
    'Result unknown',
  ]);
  expect(told('kick', null, 'pt-BR')).toEqual(['Expulsão por Ana', 'Resultado desconhecido']);
});
