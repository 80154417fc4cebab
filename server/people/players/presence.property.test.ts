import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedPlayer } from '#games/game.ts';
import { eventually } from '#harness/eventually.ts';
import { runCount } from '#harness/kill-count.ts';
import type { Presence } from './presence.ts';
import { type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let presence: Presence;

beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const name = fc.constantFrom('Ann', 'Bob', '[VIP] Bob', 'Cat');
const platformId = fc.constantFrom(null, null, 'minecraft:1', 'minecraft:2', 'minecraft:3');
const player: fc.Arbitrary<ListedPlayer> = fc.record({
  name,
  platformId,
  handle: fc.constantFrom('', 'Ann', 'Bob', 'Cat', '7'),
});
const list = fc.array(player, { maxLength: 5 });

const step = fc.oneof(
  fc.record({ kind: fc.constant('report' as const), source: fc.constantFrom('agent', 'direct'), list }),
  fc.record({ kind: fc.constant('lost' as const), source: fc.constantFrom('agent', 'direct') }),
  fc.record({ kind: fc.constant('unchanged' as const) }),
  fc.record({ kind: fc.constant('agent' as const), isPresent: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const), name, platformId }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 40, 130, 700) }),
  fc.record({ kind: fc.constantFrom('settle' as const, 'settle' as const, 'kill' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const play = async (server: string, taken: Step): Promise<void> => {
  switch (taken.kind) {
    case 'report':
      return presence.report(server, taken.source === 'agent' ? 'agent' : 'direct', taken.list);
    case 'lost':
      return presence.lost(server, taken.source === 'agent' ? 'agent' : 'direct');
    case 'unchanged':
      return presence.hear(server, { state: 'online', players: null });
    case 'agent':
      if (taken.isPresent) bench.agents.add(server);
      else bench.agents.delete(server);
      return;
    case 'join':
    case 'leave':
      return presence.observe(server, [
        { kind: taken.kind, player: taken, text: null, at: bench.clock.now(), key: randomUUID() },
      ]);
    case 'wait':
      return bench.clock.move(taken.seconds);
    case 'kill':
      presence = await bench.start();
      return;
    case 'settle':
      // Queries the event store, so that work begun before is likely to be in progress.
      await bench.events(server);
  }
};

/** The expected rules: each id once; names without an id once each, by any word. */
const ruling = (players: readonly ListedPlayer[]) => {
  const ids = new Set<string>();
  const words = new Set<string>();
  return players.filter(({ name: shown, platformId: id, handle }) => {
    const own = id === null ? [shown, ...(handle === '' ? [] : [handle])] : [id];
    const known = id === null ? words : ids;
    if (own.some((word) => known.has(word))) return false;
    for (const word of own) known.add(word);
    return true;
  });
};

// Guarantee: whatever two sources and a log report in whatever order, and wherever the process is killed, no player has two
// open sessions on a server, no session runs backwards, each has its two events, and the list is the last one.
test('any order of things', { tags: 'kills' }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), list, async (steps, last) => {
      const server = await bench.server();
      for (const taken of steps) await play(server, taken);
      bench.agents.add(server);
      presence.hear(server, { state: 'online', players: last });
      const expected = ruling(last);
      await eventually(() => {
        const shown = presence.read(server);
        expect(shown).toMatchObject({ source: 'agent', asOf: bench.clock.now().toISOString() });
        expect(shown.players).toHaveLength(expected.length);
      });
      const shown = presence.read(server).players ?? [];
      const ids = new Set(shown.flatMap(({ platformId: id }) => id ?? []));
      for (const { platformId: id } of expected) if (id !== null) expect(ids).toContain(id);
      expect(new Set(shown.map(({ playerId }) => playerId)).size).toBe(shown.length);

      const { db } = bench.database;
      const sessions = await db
        .selectFrom('player_sessions')
        .selectAll()
        .where('server_id', '=', server)
        .execute();
      const open = sessions.filter(({ left_at }) => left_at === null).map(({ player_id }) => player_id);
      expect(open.sort()).toEqual(shown.map(({ playerId }) => playerId).sort());
      for (const { joined_at, left_at } of sessions)
        expect((left_at ?? joined_at).getTime()).toBeGreaterThanOrEqual(joined_at.getTime());
      const events = await bench.events(server);
      const count = (kind: string) => events.filter((event) => event.startsWith(kind)).length;
      expect([count('joined'), count('left')]).toEqual([sessions.length, sessions.length - open.length]);
      bench.agents.delete(server);
    }),
    { numRuns: runCount({ day: 20, night: 60 }), endOnFailure: true },
  );
});
