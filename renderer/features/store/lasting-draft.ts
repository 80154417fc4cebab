import type { Lasts } from '#contracts/store.ts';
import type { LastingFields, Typed } from './product-draft.ts';

/** In seconds. */
export const lastingUnits = [60, 3600, 86_400] as const;
export type LastingUnit = (typeof lastingUnits)[number];

export interface LastsFields {
  readonly key: string;
  readonly amount: Typed;
  readonly unit: LastingUnit;
  readonly extends: boolean;
  /** Patterns, one per line; of commands alone. */
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

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 60);

/** What a part seems to be; it can be typed over. */
export const suggestKey = (line: LastingFields): string => {
  const named = (kind: string, name: string) => `${kind}:${slugOf(name) || 'one'}`;
  switch (line.kind) {
    case 'item':
      return named('kit', line.item);
    case 'role':
      return named('role', line.roleName);
    case 'command': {
      const [, rank] = /\bparent (?:add|set) (\S+)/.exec(line.command) ?? [];
      if (rank !== undefined) return named('rank', rank);
      const [, level] = /^\/?admin add \S+ (\d+)/.exec(line.command) ?? [];
      if (level !== undefined) return named('admin', level);
      const words = line.command.replace(/\{\w+\}/g, '').replace(/^\//, '');
      return /whitelist|AllowPlayerToJoinNoCheck/i.test(words) ? 'whitelist' : named('command', words);
    }
  }
};
