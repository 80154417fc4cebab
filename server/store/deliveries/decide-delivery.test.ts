import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOutcomes } from '#contracts/servers/games.ts';
import type { GuardMark } from '#games/store-forms.ts';
import { type AttemptFacts, decideAttempt, decideLate } from './decide-delivery.ts';

const results: readonly AttemptFacts['result'][] = [
  null,
  ...commandOutcomes.flatMap((outcome) => [
    { outcome, sent: true },
    ...(outcome === 'answered' ? [] : [{ outcome, sent: false }]),
  ]),
];
const marks: readonly (GuardMark | null)[] = [null, 'given', 'refused', 'withdrawn', 'absent', 'unreadable'];
const verdicts = ['done', 'failed', 'later', 'unproven', null] as const;
const presences = [true, false, null];

const everything = function* (): Generator<AttemptFacts> {
  for (const result of results)
    for (const verdict of verdicts) {
      if ((verdict !== null) !== (result?.outcome === 'answered')) continue;
      for (const mark of marks)
        for (const hasRunOn of [true, false])
          for (const canProve of [true, false])
            for (const wasPresent of presences)
              for (const isPresent of presences)
                yield { result, verdict, mark, hasRunOn, canProve, wasPresent, isPresent };
    }
};

/** Whether the facts rule out that the game gave it. */
const isProvenNotGiven = ({ result, verdict, mark, hasRunOn }: AttemptFacts): boolean =>
  result?.sent === false ||
  (mark !== 'given' && (verdict === 'failed' || verdict === 'later')) ||
  mark === 'refused' ||
  mark === 'withdrawn' ||
  (mark === 'absent' && hasRunOn);
const isProvenGiven = ({ result, verdict, mark }: AttemptFacts): boolean =>
  result?.sent !== false && (verdict === 'done' || mark === 'given');

describe('every combination of facts', () => {
  // Guarantee: it is sent again only if something proves that nothing happened.
  it('waits only with proof', () => {
    let seen = 0;
    for (const facts of everything()) {
      seen += 1;
      const { state } = decideAttempt(facts);
      if (state === 'waiting' || state === 'failed')
        expect({ facts, ok: isProvenNotGiven(facts) }).toMatchObject({ ok: true });
    }
    expect(seen).toBeGreaterThan(6000);
  });

  // Guarantee: it is called proven or settled only if the reply or the game's record says so.
  it('is delivered only with proof, or as unconfirmed', () => {
    for (const facts of everything()) {
      const decision = decideAttempt(facts);
      if (decision.state !== 'delivered') continue;
      if (decision.certainty === 'unconfirmed')
        expect(facts).toMatchObject({
          canProve: false,
          wasPresent: true,
          isPresent: true,
          verdict: 'unproven',
        });
      else expect({ facts, ok: isProvenGiven(facts) }).toMatchObject({ ok: true });
    }
  });

  // Guarantee: if a reply and a record disagree, a person decides.
  it('sends contradictions to the desk', () => {
    for (const facts of everything()) {
      const { verdict, mark } = facts;
      const disagree =
        (mark === 'given' && (verdict === 'failed' || verdict === 'later')) ||
        ((mark === 'refused' || mark === 'withdrawn') && verdict === 'done');
      if (disagree)
        expect({ facts, decision: decideAttempt(facts) }).toMatchObject({
          decision: { state: 'unknown', deskReason: 'contradiction' },
        });
    }
  });
});

const lost = {
  result: null,
  verdict: null,
  hasRunOn: false,
  canProve: true,
  wasPresent: true,
  isPresent: true,
};

it.each([
  ['agent away', 'server'],
  ['expired', 'retry'],
] as const)('%s without bytes waits for %s', (outcome, waitsFor) => {
  expect(decideAttempt({ ...lost, mark: null, result: { outcome, sent: false } })).toEqual({
    state: 'waiting',
    waitsFor,
  });
});

it('settles a lost answer by the mark of a game that ran on', () => {
  expect(decideAttempt({ ...lost, mark: 'given' })).toEqual({ state: 'delivered', certainty: 'settled' });
  expect(decideAttempt({ ...lost, mark: 'absent', hasRunOn: true })).toEqual({
    state: 'waiting',
    waitsFor: 'player',
  });
  expect(decideAttempt({ ...lost, mark: 'absent' })).toEqual({ state: 'unknown', deskReason: 'unknown' });
  expect(decideAttempt({ ...lost, mark: 'withdrawn' })).toMatchObject({ state: 'waiting', renews: true });
});

/** A game, with or without a guard, that loses replies, dies and comes back, as the decisions see it. */
const play = (isGuarded: boolean, turns: readonly Turn[]): number => {
  let given = 0;
  let mark: GuardMark = 'absent';
  for (const { isSent, isLost, isAbsent, isKilled } of turns) {
    let verdict: AttemptFacts['verdict'] = null;
    if (isSent) {
      const isGiven = !(isGuarded && mark === 'given') && !isAbsent;
      if (isGiven) given += 1;
      if (isGiven && isGuarded) mark = 'given';
      if (!isLost) verdict = isGiven ? 'done' : isAbsent ? 'later' : 'unproven';
      // The world from a while ago: the item may have stayed with the player.
      if (isKilled) mark = 'absent';
    }
    const decision = decideAttempt({
      result: isSent
        ? isLost
          ? null
          : { outcome: 'answered', sent: true }
        : { outcome: 'agent away', sent: false },
      verdict,
      mark: isGuarded ? mark : null,
      hasRunOn: !isKilled,
      canProve: true,
      wasPresent: true,
      isPresent: true,
    });
    if (decision.state !== 'waiting') break;
  }
  return given;
};
interface Turn {
  readonly isSent: boolean;
  readonly isLost: boolean;
  readonly isAbsent: boolean;
  readonly isKilled: boolean;
}

// Guarantee: no history of events makes a game with or without a record give anything twice.
it('gives at most once in 20,000 histories', () => {
  const turn = fc.record({
    isSent: fc.boolean(),
    isLost: fc.boolean(),
    isAbsent: fc.boolean(),
    isKilled: fc.boolean(),
  });
  let runs = 0;
  fc.assert(
    fc.property(fc.boolean(), fc.array(turn, { maxLength: 12 }), (isGuarded, turns) => {
      runs += 1;
      expect(play(isGuarded, turns)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 20_000 },
  );
  expect(runs).toBe(20_000);
});

// Guarantee: a result that comes after others have decided moves no points, and contradicts them only at the desk.
it.each([
  [{ verdict: 'unproven', state: 'unknown' }, 'keep'],
  [{ verdict: 'done', state: 'cancelled', isRefunded: true }, 'desk'],
  [{ verdict: 'failed', state: 'cancelled', isRefunded: true }, 'keep'],
  [{ verdict: 'done', state: 'delivered', isDecided: true }, 'prove'],
  [{ verdict: 'failed', state: 'delivered', isDecided: true }, 'desk'],
  [{ verdict: 'done', state: 'delivered', isSentAgain: true }, 'doubled'],
  [{ verdict: 'done', state: 'waiting', isSentAgain: true }, 'arrived'],
  [{ verdict: 'failed', state: 'waiting', isSentAgain: true }, 'keep'],
  [{ verdict: 'done', state: 'delivered' }, 'keep'],
  [{ verdict: 'done', state: 'waiting' }, 'arrived'],
  [{ verdict: 'done', state: 'sending', isSentAgain: true }, 'keep'],
  [{ verdict: 'done', state: 'unknown', isSentAgain: true }, 'keep'],
  [{ verdict: 'done', state: 'waiting', isSentAgain: true, isRefunded: true }, 'desk'],
] as const)('a late result of %j: %s', (facts, decision) => {
  expect(decideLate({ isRefunded: false, isSentAgain: false, isDecided: false, ...facts })).toBe(decision);
});
