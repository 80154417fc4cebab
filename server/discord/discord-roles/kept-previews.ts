import { createId } from '@paralleldrive/cuid2';
import type { RuleRow } from './wanted-roles.ts';

/** Whom a rule would change, by a key, with their names. */
export interface RuleEffect {
  readonly gains: ReadonlyMap<string, string>;
  readonly losses: ReadonlyMap<string, string>;
}

export interface KeptPreview {
  /** Whether what would happen now matches what was shown. */
  covers(effect: RuleEffect): boolean;
}

const keptMs = 10 * 60_000;
const mostKept = 50;

/** Relative to what was shown: those who lose something were named, up to a twentieth; a few more may gain something. */
const tolerance = { losses: { least: 0, part: 0.05 }, gains: { least: 10, part: 0.1 } } as const;

const isCovered = (
  seen: ReadonlySet<string>,
  now: ReadonlyMap<string, string>,
  { least, part }: { readonly least: number; readonly part: number },
): boolean => {
  const more = [...now.keys()].filter((key) => !seen.has(key)).length;
  return more <= Math.max(least, Math.floor(seen.size * part));
};

/** What was shown about rules, so that switching one on does what was seen. In memory: after a restart the preview is needed again. */
export const keepPreviews = () => {
  const kept = new Map<string, KeptPreview & { readonly rule: string; readonly untilMs: number }>();
  const ruleOf = ({ id, version }: Pick<RuleRow, 'id' | 'version'>) => `${id}.${version}`;
  return {
    keep(row: RuleRow, { gains, losses }: RuleEffect): string {
      const [oldest] = kept.keys();
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
      const id = createId();
      const seen = { gains: new Set(gains.keys()), losses: new Set(losses.keys()) };
      kept.set(id, {
        rule: ruleOf(row),
        untilMs: performance.now() + keptMs,
        covers: (now) =>
          isCovered(seen.gains, now.gains, tolerance.gains) &&
          isCovered(seen.losses, now.losses, tolerance.losses),
      });
      return id;
    },
    find(id: string, row: RuleRow): KeptPreview | null {
      const found = kept.get(id);
      return found && found.rule === ruleOf(row) && found.untilMs > performance.now() ? found : null;
    },
  };
};
