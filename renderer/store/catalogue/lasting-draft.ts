import type { Lasts } from '#contracts/store/store.ts';

/** In seconds. */
export const lastingUnits = [60, 3600, 86_400] as const;
type LastingUnit = (typeof lastingUnits)[number];

export interface LastsFields {
  readonly key: string;
  readonly amount: number | '';
  readonly unit: LastingUnit;
  readonly extends: boolean;
  /** Patterns, one per line; only for commands. */
  readonly taken: string;
}

export const newLasts = (key: string): LastsFields => ({
  key,
  amount: 30,
  unit: 86_400,
  extends: true,
  taken: '',
});

export const fieldsOfLasts = (
  lasts: (Lasts & { readonly taken?: readonly string[] }) | undefined,
): LastsFields | null => {
  if (!lasts) return null;
  const unit = lastingUnits.findLast((one) => lasts.seconds % one === 0) ?? 60;
  return {
    key: lasts.key,
    amount: lasts.seconds / unit,
    unit,
    extends: lasts.extends,
    taken: (lasts.taken ?? []).join('\n'),
  };
};

export const draftOfLasts = ({ key, amount, unit, extends: adds }: LastsFields): Lasts => ({
  key: key.trim(),
  seconds: Math.round(Number(amount) * unit),
  extends: adds,
});
