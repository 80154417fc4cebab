import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { encodeEntry, type JournalEntry, unknownResult } from './journal-entry.ts';
import { replayJournal } from './replay-journal.ts';

const answered: CommandResult = {
  outcome: 'answered',
  reply: 'done\nwith "quotes"',
  truncated: false,
  sent: true,
  durationMs: 3,
};
const received = (id: string): JournalEntry => ({
  kind: 'received',
  id,
  command: `say ${id}`,
  timeoutMs: 1000,
  expiresInMs: 60_000,
  at: 1,
});
const started = (id: string): JournalEntry => ({ kind: 'started', id });
const result = (id: string): JournalEntry => ({ kind: 'result', id, result: answered });
const forgotten = (id: string): JournalEntry => ({ kind: 'forgotten', id, result: answered, at: 5 });
const text = (...entries: JournalEntry[]) => entries.map(encodeEntry).join('');
const stages = (journal: string) =>
  Object.fromEntries([...replayJournal(journal).commands].map(([id, { stage }]) => [id, stage]));

// Guarantee: after a death only commands that were not started are run; a started one without a result is unknown.
test('each stage', () => {
  const journal = text(
    ...['a', 'b', 'c', 'd'].map(received),
    ...['b', 'c', 'd'].map(started),
    ...['c', 'd'].map(result),
    forgotten('d'),
  );
  const { commands, unknownIds, damagedLines } = replayJournal(journal);
  expect(stages(journal)).toEqual({ a: 'received', b: 'result', c: 'result', d: 'forgotten' });
  expect(commands.get('b')).toEqual({ stage: 'result', result: unknownResult });
  expect(commands.get('c')).toEqual({ stage: 'result', result: answered });
  expect({ unknownIds, damagedLines }).toEqual({ unknownIds: ['b'], damagedLines: 0 });
});

// Guarantee: however a power cut damaged the end, no command whose start is in the journal is ever run again.
test('a torn end', () => {
  const journal = text(received('a'), started('a'), received('b'), result('a'), started('b'), forgotten('a'));
  for (let length = 0; length <= journal.length; length += 1) {
    const torn = journal.slice(0, length);
    const { damagedLines, commands } = replayJournal(torn);
    expect(damagedLines).toBe(0);
    for (const id of ['a', 'b'])
      if (torn.includes(encodeEntry(started(id)))) expect(commands.get(id)?.stage).not.toBe('received');
  }
});

// Guarantee: a damaged line makes every command unknown that it may have started; later commands, and results, stay.
test('a damaged line in the middle', () => {
  const damaged = '{"kind":"started","id":"b"\u0000\u0000\n';
  const journal =
    text(received('a'), received('b'), received('c'), result('c')) + damaged + text(received('e'));
  expect(stages(journal)).toEqual({ a: 'result', b: 'result', c: 'result', e: 'received' });
  expect(replayJournal(journal).unknownIds.toSorted()).toEqual(['a', 'b']);
  expect(replayJournal(journal).damagedLines).toBe(1);
  const lost = '{"kind":"received","id":"x","comm\n';
  expect(replayJournal(lost).commands.get('x')).toEqual({ stage: 'result', result: unknownResult });
  expect(stages(text(started('y')))).toEqual({ y: 'result' });
});

// Guarantee: no bytes make the replay fail, or run a command again whose start follows them.
test('any bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (noise) => {
      const journal = `${noise}\n${text(received('a'), started('a'))}`;
      expect(replayJournal(journal).commands.get('a')?.stage).toBe('result');
    }),
  );
});
