import { expect, test } from 'vitest';
import { agentCapabilities, agentFrame, largestAgentFrame } from '#contracts/servers/agent-protocol.ts';
import { type CommandResult, longestReply } from '#contracts/servers/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { createLog } from '#runtime/log.ts';
import { createEventBuffer } from '../game/event-buffer.ts';
import { createWatchedLines } from '../game/watched-lines.ts';
import type { KnownCommand } from '../journal/replay-journal.ts';
import { createHeartbeats } from './heartbeats.ts';
import { pollBudget } from './long-poll-client.ts';
import { createOutbox } from './outbox.ts';

/** Each of these characters takes six bytes of JSON. */
const hostile = (length: number) => '\u0001'.repeat(length);
const result: CommandResult = {
  outcome: 'answered',
  reply: hostile(longestReply),
  truncated: true,
  sent: true,
  durationMs: 1,
};

const fullOutbox = () => {
  const events = createEventBuffer(createLog({ component: 'agent', level: 'silent' }));
  for (let count = 0; count < 300; count += 1)
    events.add({ kind: 'chat', player: { name: hostile(300), platformId: null }, text: hostile(3000) });
  const lines = createWatchedLines();
  lines.watch(60);
  for (let count = 0; count < 400; count += 1) lines.add(hostile(5000));
  const results = new Map(Array.from({ length: 5 }, (_, index) => [`id-${index}`, result]));
  const find = (id: string): KnownCommand => ({ stage: 'result', result: results.get(id) ?? result });
  return {
    events,
    outbox: createOutbox({ journal: { find, waiting: () => [], results: () => results }, events, lines }),
  };
};

// Guarantee: even the largest messages fit into frames and bodies that the API accepts; all of them are sent, in order, and each
// once per connection.
test('the largest things', () => {
  const { outbox } = fullOutbox();
  outbox.rewind(agentCapabilities);
  const said: ReturnType<typeof agentFrame.parse>[] = [];
  for (let turn = outbox.compose(pollBudget); turn.length > 0; turn = outbox.compose(pollBudget)) {
    expect(Buffer.byteLength(turn.join(','))).toBeLessThanOrEqual(pollBudget.bytes);
    for (const text of turn) said.push(agentFrame.parse(JSON.parse(text)));
    expect(said.length).toBeLessThan(1000);
  }
  expect(said.flatMap((frame) => (frame.type === 'result' ? [frame.commandId] : []))).toEqual(
    [0, 1, 2, 3, 4].map((index) => `id-${index}`),
  );
  expect(
    said.flatMap((frame) => (frame.type === 'events' ? frame.events.map(({ number }) => number) : [])),
  ).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  expect(said.reduce((sum, frame) => sum + (frame.type === 'lines' ? frame.lines.length : 0), 0)).toBe(400);
});

// Guarantee: a new connection sends again what was not acknowledged, but never lines.
test('a new connection', () => {
  const { events, outbox } = fullOutbox();
  outbox.rewind(agentCapabilities);
  const types = () => {
    const said = new Set<string>();
    for (let turn = outbox.compose(pollBudget); turn.length > 0; turn = outbox.compose(pollBudget))
      for (const text of turn) said.add(JSON.parse(text).type);
    return [...said].toSorted();
  };
  expect(types()).toEqual(['events', 'lines', 'result']);
  expect(types()).toEqual([]);
  outbox.rewind(agentCapabilities);
  expect(types()).toEqual(['events', 'result']);
  events.acknowledge(300);
  outbox.rewind(agentCapabilities);
  expect(types()).toEqual(['result']);
});

// Guarantee: players are listed until a heartbeat with them is acknowledged, again when they change or change back, and an
// oversized list is cut to the size of a frame.
test('heartbeats', () => {
  let players: ListedPlayer[] | null = null;
  const heartbeats = createHeartbeats(() => ({ state: 'online', detail: null, players }));
  const steve = [{ name: 'Steve', platformId: null, handle: 'Steve' }];
  expect(heartbeats.beat().players).toBeUndefined();
  players = steve;
  expect(heartbeats.beat().players).toEqual(steve);
  expect(heartbeats.beat()).toMatchObject({ number: 2, players: steve });
  heartbeats.acknowledge(1);
  expect(heartbeats.beat().players).toBeUndefined();
  players = [];
  expect(heartbeats.beat()).toMatchObject({ number: 4, players: [] });
  players = steve;
  expect(heartbeats.beat()).toMatchObject({ number: 5, players: steve });
  heartbeats.acknowledge(5);
  expect(heartbeats.beat().players).toBeUndefined();
  players = Array.from({ length: 5000 }, () => ({
    name: hostile(500),
    platformId: hostile(500),
    handle: hostile(500),
  }));
  const frame = heartbeats.beat();
  expect(agentFrame.safeParse(frame).error).toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThan(largestAgentFrame / 2);
});
