import { Text } from '@mantine/core';
import type { RewardTerms } from '#contracts/store/rewards.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { usePoints } from '../use-points.ts';
import { rewardsWords } from './rewards.words.ts';
import { useScopeText } from './scope-fields.tsx';

/** The reward of a rule, in a line. */
export const RuleText = ({ terms }: { readonly terms: RewardTerms }) => {
  const words = useWords(rewardsWords).rules;
  const { points } = usePoints();
  const where = useScopeText(terms.kind === 'daily' ? { games: [], serverIds: [] } : terms);
  const parts = {
    interval: () =>
      terms.kind === 'interval'
        ? [
            words.gives.interval(points(terms.points), terms.minutes),
            ...(terms.mostPerDay === null ? [] : [words.most(points(terms.mostPerDay))]),
            where,
          ]
        : [],
    'first-visit': () => [words.gives['first-visit'](points(terms.points)), where],
    daily: () =>
      terms.kind === 'daily'
        ? [
            words.gives.daily(points(terms.points)),
            ...(terms.streakPoints > 0 && terms.streakDays > 0
              ? [words.streak(points(terms.streakPoints), terms.streakDays)]
              : []),
          ]
        : [],
  }[terms.kind]();
  return (
    <Text size="sm">
      <bdi>{parts.join(' · ')}</bdi>
    </Text>
  );
};
