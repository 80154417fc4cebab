import { expect, test } from 'vitest';
import type { EventRow } from '#contracts/events.ts';
import { notableEventsWords } from './notable-events.words.ts';
import { notableSentence } from './notable-sentence.ts';

const notable: readonly Pick<EventRow, 'kind' | 'payload' | 'serverId'>[] = [
  { kind: 'license.changed', serverId: null, payload: { from: 'valid', to: 'grace', code: null } },
  {
    kind: 'database.recovered',
    serverId: null,
    payload: { unreachableSince: '2026-05-04T12:00:00Z', fault: 'x' },
  },
  { kind: 'bot.state-changed', serverId: null, payload: { from: null, to: 'throttled', detail: '' } },
  {
    kind: 'queue.job-failed',
    serverId: null,
    payload: { queue: 'delivery', jobId: 'b3b0c0e6-0f3b-4a6e-9a39-0d3f0b9d1b1e', tries: 1 },
  },
  {
    kind: 'server.unreachable',
    serverId: 's1',
    payload: { name: 'Fjordland', via: 'direct', outcome: null, detail: '' },
  },
  { kind: 'agent.stale', serverId: 's1', payload: { name: 'Fjordland', lastSeenAt: '2026-05-04T12:00:00Z' } },
  {
    kind: 'agent.refused',
    serverId: 's1',
    payload: { code: 'AGENT_PROOF_WRONG', detail: '', address: '10.0.0.7' },
  },
];
const sentences = (language: 'en' | 'pt-BR') =>
  notable.map((row) =>
    notableSentence(row, {
      words: notableEventsWords[language],
      time: (iso) => iso,
      serverName: () => 'Fjordland',
    }),
  );

// Guarantee: each kind of warning is a sentence in each language.
test('the sentences', () => {
  const [english, portuguese] = [sentences('en'), sentences('pt-BR')];
  expect(english).not.toContain(null);
  expect(portuguese).not.toContain(null);
  for (const [index, sentence] of english.entries()) expect(sentence).not.toBe(portuguese[index]);
  expect(english.slice(4)).toEqual([
    'Fjordland does not answer any more.',
    'Nothing is heard from the Game Agent of Fjordland any more.',
    'A Game Agent for Fjordland from 10.0.0.7 was not let in.',
  ]);
});

// Guarantee: an event of another version is not guessed at.
test('unknown kinds and payloads', () => {
  const parts = {
    words: notableEventsWords.en,
    time: (iso: string) => iso,
    serverName: () => null,
  };
  expect(notableSentence({ kind: 'moon.full', serverId: null, payload: {} }, parts)).toBeNull();
  expect(
    notableSentence({ kind: 'agent.stale', serverId: null, payload: { called: 'x' } }, parts),
  ).toBeNull();
});
