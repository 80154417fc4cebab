import type * as z from 'zod';
import type { GameId } from '#contracts/servers/games.ts';
import type { Season, SeasonBalances, seasonPlan } from '#contracts/store/seasons.ts';
import type { EveryField } from '../../kit/forms/every-field.ts';
import { asInstant } from '../../kit/records/range.ts';

export const balanceKinds = ['none', 'zero', 'cap', 'keep'] as const;
type BalanceKind = (typeof balanceKinds)[number];
export const whoseKinds = ['players', 'everyone'] as const;

/** The season's plan as typed in the fields. */
export interface SeasonFields {
  readonly name: string;
  readonly game: GameId;
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  /** Local time, to the minute; empty: now. */
  readonly wipedAt: string;
  readonly balances: BalanceKind;
  readonly most: number | '';
  readonly percent: number | '';
  readonly whose: (typeof whoseKinds)[number];
  readonly limitProductIds: readonly string[];
  readonly announcement: Season['announcement'];
}

export interface SeasonFieldsProps {
  readonly fields: SeasonFields;
  readonly onChange: (changes: Partial<SeasonFields>) => void;
}

export const newSeason = (game: GameId): SeasonFields => ({
  name: '',
  game,
  clusterIds: [],
  serverIds: [],
  wipedAt: '',
  balances: 'none',
  most: 100,
  percent: 50,
  whose: 'players',
  limitProductIds: [],
  announcement: { en: '', 'pt-BR': '' },
});

const balancesOf = ({ balances, most, percent, whose }: SeasonFields): SeasonBalances | null => {
  switch (balances) {
    case 'none':
      return { kind: 'none' };
    case 'zero':
      return { kind: 'cap', most: 0, whose };
    case 'cap':
      return most === '' ? null : { kind: 'cap', most, whose };
    case 'keep':
      return percent === '' ? null : { kind: 'keep', percent, whose };
  }
};

/** The plan in the fields; null while a number is missing. */
export const planOf = (fields: SeasonFields): EveryField<z.input<typeof seasonPlan>> | null => {
  const balances = balancesOf(fields);
  if (balances === null) return null;
  return {
    game: fields.game,
    clusterIds: [...fields.clusterIds],
    serverIds: [...fields.serverIds],
    wipedAt: asInstant(fields.wipedAt) ?? null,
    balances,
    limitProductIds: [...fields.limitProductIds],
  };
};
