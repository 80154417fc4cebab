import type { GameId } from '#contracts/games.ts';
import {
  type RewardRule,
  type RewardRuleDraft,
  type RewardTerms,
  rewardRuleDraft,
} from '#contracts/rewards.ts';

/** The rule as typed: the fields of all kinds, so that changing the kind loses nothing. */
export interface RuleFields {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly kind: RewardTerms['kind'];
  readonly points: number | '';
  readonly minutes: number | '';
  readonly mostPerDay: number | '';
  readonly streakPoints: number | '';
  readonly streakDays: number | '';
  readonly games: readonly GameId[];
  readonly serverIds: readonly string[];
}

const newRule: RuleFields = {
  name: '',
  isEnabled: true,
  kind: 'interval',
  points: 10,
  minutes: 30,
  mostPerDay: '',
  streakPoints: 0,
  streakDays: 7,
  games: [],
  serverIds: [],
};

export const fieldsOf = (rule: RewardRule | null): RuleFields => {
  if (!rule) return newRule;
  const { name, isEnabled, terms } = rule;
  const known = { ...newRule, name, isEnabled, kind: terms.kind, points: terms.points };
  if (terms.kind === 'daily')
    return { ...known, streakPoints: terms.streakPoints, streakDays: terms.streakDays };
  const { games, serverIds } = terms;
  if (terms.kind === 'first-visit') return { ...known, games, serverIds };
  return { ...known, games, serverIds, minutes: terms.minutes, mostPerDay: terms.mostPerDay ?? '' };
};

/** Null: something is missing or out of bounds. */
export const draftOf = (fields: RuleFields): RewardRuleDraft | null => {
  const { name, isEnabled, kind, points, games, serverIds } = fields;
  const scope = { games: [...games], serverIds: [...serverIds] };
  const terms = {
    interval: {
      kind,
      points,
      minutes: fields.minutes,
      mostPerDay: fields.mostPerDay === '' ? null : fields.mostPerDay,
      ...scope,
    },
    'first-visit': { kind, points, ...scope },
    daily: { kind, points, streakPoints: fields.streakPoints, streakDays: fields.streakDays },
  }[kind];
  return rewardRuleDraft.safeParse({ name, isEnabled, terms }).data ?? null;
};
