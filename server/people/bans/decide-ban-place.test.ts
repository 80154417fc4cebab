import { expect, test } from 'vitest';
import { decideBanPlace, type SentBan } from './decide-ban-place.ts';

const sent = (more: Partial<SentBan>): SentBan => ({
  change: 'ban',
  known: 'never',
  certainty: null,
  result: { outcome: 'answered', sent: true },
  verdict: 'done',
  ...more,
});

// Guarantee: only what the game has said is proven; what may have arrived is in doubt, and what never left changes nothing.
test('what an answer says of a ban', () => {
  expect(decideBanPlace(sent({}))).toMatchObject({ known: 'banned', certainty: 'proven', next: 'at-once' });
  expect(decideBanPlace(sent({ change: 'unban', known: 'banned', certainty: 'proven' }))).toMatchObject({
    known: 'free',
    certainty: 'proven',
  });
  expect(decideBanPlace(sent({ verdict: 'unproven' }))).toMatchObject({
    known: 'banned',
    certainty: 'unconfirmed',
  });
  for (const verdict of ['failed', 'later'] as const)
    expect(decideBanPlace(sent({ verdict }))).toMatchObject({
      known: 'never',
      certainty: null,
      next: 'back-off',
      isRefused: true,
    });
  const never = { outcome: 'unreachable', sent: false } as const;
  expect(decideBanPlace(sent({ result: never, verdict: null }))).toMatchObject({
    known: 'never',
    next: 'rest',
    isLost: false,
  });
  const lost = { outcome: 'timeout', sent: true } as const;
  for (const result of [lost, null])
    expect(
      decideBanPlace(sent({ change: 'unban', known: 'banned', certainty: 'proven', result, verdict: null })),
    ).toEqual({
      known: 'unsure',
      certainty: null,
      next: 'back-off',
      isRefused: false,
      isLost: true,
    });
  const logged = { ...lost, logLine: 'Executing command' };
  expect(decideBanPlace(sent({ result: logged, verdict: null }))).toMatchObject({
    known: 'banned',
    certainty: 'unconfirmed',
  });
});
