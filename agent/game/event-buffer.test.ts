import { expect, test } from 'vitest';
import { agentFrame } from '#contracts/servers/agent-protocol.ts';
import { createLog } from '#runtime/log.ts';
import { createEventBuffer } from './event-buffer.ts';
import { createWatchedLines } from './watched-lines.ts';

const buffer = (now = () => 0) => {
  const logged: string[] = [];
  const log = createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } });
  return { events: createEventBuffer(log, now), logged };
};
const chat = (text: string) => ({ kind: 'chat', player: { name: 'Eve', platformId: null }, text }) as const;

// Guarantee: events are numbered without a gap, kept until acknowledged, and sent with their age.
test('events', () => {
  let nowMs = 0;
  const { events } = buffer(() => nowMs);
  for (const text of ['a', 'b', 'c']) events.add(chat(text));
  nowMs = 1500;
  expect(events.after(0, 2)).toMatchObject([
    { number: 1, text: 'a', ageMs: 1500 },
    { number: 2, text: 'b' },
  ]);
  events.acknowledge(2);
  // From another agent, or made up.
  events.acknowledge(99);
  expect(events.after(events.acknowledged(), 100)).toMatchObject([{ number: 3 }]);
});

// Guarantee: an API that accepts no events costs bounded memory; the oldest events are dropped, and the log says how many.
test('too many events', () => {
  const { events, logged } = buffer();
  for (let count = 0; count < 7000; count += 1) events.add(chat('x'));
  expect(events.after(0, 10_000).map(({ number }) => number)[0]).toBe(2001);
  expect(logged.at(-1)).toContain('"dropped":2000');
});

// Guarantee: whatever a game writes, the resulting frames follow the protocol.
test('hostile observations', () => {
  const { events } = buffer();
  const name = `\ud800${'\0'.repeat(300)}`;
  events.add({ kind: 'chat', player: { name, platformId: 'x'.repeat(500) }, text: '\u0007'.repeat(9000) });
  events.add({ kind: 'join', player: { name: '', platformId: '' } });
  const frame = { v: 1, type: 'events', events: events.after(0, 100) };
  expect(agentFrame.safeParse(JSON.parse(JSON.stringify(frame))).error).toBeUndefined();
  expect(JSON.stringify(frame)).not.toContain('\\u0000');
});

// Guarantee: lines are kept only while watched, limited in rate and size, and the number of omitted ones is reported.
test('watched lines', () => {
  let nowMs = 0;
  const lines = createWatchedLines(() => nowMs);
  lines.add('unseen');
  lines.watch(10);
  for (let count = 0; count < 800; count += 1) lines.add(`${'y'.repeat(5000)}`);
  const taken = lines.take(1000);
  expect(taken.length).toBe(500);
  expect(taken[0]?.text.length).toBe(4000);
  nowMs = 1000;
  lines.add('next');
  expect(lines.take(10).map(({ text }) => text)).toEqual(['… 300 lines left out', 'next']);
  nowMs = 11_000;
  lines.add('too late');
  expect(lines.take(10)).toEqual([]);
});
