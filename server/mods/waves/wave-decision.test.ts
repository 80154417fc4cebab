import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideWave, mostAtOnce, type WaveServerState, type WaveStanding } from './wave-decision.ts';

const states = ['waiting', 'under-way', 'proven', 'changed', 'nothing', 'blocked', 'failed'] as const;
const standing = (state: WaveServerState, isReady = true): WaveStanding => ({ state, isReady });

/** Every combination of states for up to five servers: 19,607 of them. */
const combinations = function* (length: number): Generator<WaveStanding[]> {
  if (length === 0) return yield [];
  for (const rest of combinations(length - 1)) for (const state of states) yield [standing(state), ...rest];
};

// Guarantee: nothing begins beside the first server that changes something, before it is proven, or after a failure; never
// more than the limit at the same time, and no server begins twice.
test('every combination of five servers', () => {
  let seen = 0;
  for (let length = 1; length <= 5; length += 1)
    for (const servers of combinations(length)) {
      seen += 1;
      const words = servers.map(({ state }) => state).join(' ');
      const { state, begin, stoppedBy } = decideWave(servers);
      const underWay = servers.filter((server) => server.state === 'under-way').length;
      const first = servers.find((server) => server.state !== 'nothing');
      for (const position of begin) expect(servers[position]?.state, words).toBe('waiting');
      if (begin.length > 0 && first?.state !== 'proven')
        expect([begin.length, state], words).toEqual([1, 'first']);
      if (begin.length > 0 && first?.state !== 'proven') expect(servers[begin[0] ?? -1], words).toBe(first);
      if (servers.some((server) => server.state === 'failed')) expect(begin, words).toEqual([]);
      if (begin.length > 0) expect(begin.length + underWay, words).toBeLessThanOrEqual(mostAtOnce);
      // It ends only when nothing is running; it stops only because of a server.
      if (state === 'done') expect([underWay, begin.length, stoppedBy], words).toEqual([0, 0, null]);
      if (state === 'done')
        expect(
          servers.every((server) => !['waiting', 'failed'].includes(server.state)),
          words,
        ).toBe(true);
      if (state === 'stopped') expect(stoppedBy, words).not.toBeNull();
      // No deadlock: a wave that continues has something running or begins something.
      if (state === 'first' || state === 'others') expect(underWay + begin.length, words).toBeGreaterThan(0);
    }
  expect(seen).toBe(19_607);
});

// Guarantee: each of these cases is decided as a wave promises.
test.each<[string, readonly WaveStanding[], ReturnType<typeof decideWave>]>([
  [
    'a first that was not running',
    [standing('changed'), standing('waiting')],
    { state: 'stopped', begin: [], stoppedBy: 0 },
  ],
  [
    'a first that cannot be begun',
    [standing('blocked'), standing('waiting')],
    { state: 'stopped', begin: [], stoppedBy: 0 },
  ],
  [
    'a first with nothing to do',
    [standing('nothing'), standing('waiting'), standing('waiting')],
    { state: 'first', begin: [1], stoppedBy: null },
  ],
  [
    'a first whose agent is away',
    [standing('waiting', false), standing('waiting')],
    { state: 'first', begin: [], stoppedBy: null },
  ],
  [
    'a later one that is blocked',
    [standing('proven'), standing('blocked'), standing('waiting')],
    { state: 'others', begin: [2], stoppedBy: null },
  ],
  [
    'a later one that failed beside another',
    [standing('proven'), standing('failed'), standing('under-way'), standing('waiting')],
    { state: 'others', begin: [], stoppedBy: 1 },
  ],
  [
    'and once that has ended',
    [standing('proven'), standing('failed'), standing('changed'), standing('waiting')],
    { state: 'stopped', begin: [], stoppedBy: 1 },
  ],
])('%s', (_name, servers, decision) => {
  expect(decideWave(servers)).toEqual(decision);
});

/** How each server ends, and in which order the jobs end. */
const course = fc.array(
  fc.record({
    comesTo: fc.constantFrom('proven', 'proven', 'proven', 'changed', 'failed', 'nothing', 'blocked'),
    rank: fc.nat(),
  }),
  { minLength: 1, maxLength: 12 },
);

// Guarantee: in whatever order servers finish, a wave ends, begins each server at most once, runs the first one alone until
// it is proven, never exceeds the limit, and begins none after a failure.
test('any course of a wave', () => {
  fc.assert(
    fc.property(course, (servers) => {
      const states: WaveServerState[] = servers.map(() => 'waiting');
      const begun: number[] = [];
      let decision = decideWave(states.map((state) => standing(state)));
      for (let turns = 0; decision.state === 'first' || decision.state === 'others'; turns += 1) {
        expect(turns).toBeLessThan(100);
        const hasFailed = states.includes('failed');
        const isFirstProven = states.find((state) => state !== 'nothing') === 'proven';
        for (const position of decision.begin) {
          expect([hasFailed, states[position]]).toEqual([false, 'waiting']);
          const comesTo = servers[position]?.comesTo;
          if (comesTo === 'nothing' || comesTo === 'blocked') states[position] = comesTo;
          else {
            expect(begun).not.toContain(position);
            expect(isFirstProven || !states.includes('under-way')).toBe(true);
            begun.push(position);
            states[position] = 'under-way';
          }
        }
        const underWay = [...states.keys()].filter((position) => states[position] === 'under-way');
        expect(underWay.length).toBeLessThanOrEqual(mostAtOnce);
        const [next] = underWay.toSorted(
          (one, other) => (servers[one]?.rank ?? 0) - (servers[other]?.rank ?? 0),
        );
        if (next !== undefined) states[next] = servers[next]?.comesTo ?? 'failed';
        decision = decideWave(states.map((state) => standing(state)));
      }
      expect(states).not.toContain('under-way');
      if (decision.state === 'done') expect(states).not.toContain('waiting');
    }),
    { numRuns: 2000 },
  );
});
