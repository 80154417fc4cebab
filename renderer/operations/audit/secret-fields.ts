import { settingsSections } from '#contracts/operations/settings.ts';
import type { Section } from '#contracts/operations/settings-fields.ts';
import { referenceIn } from './reference.ts';

const sections: Readonly<Record<string, Section>> = settingsSections;

/** The fields of a target whose values are never kept. */
export const secretFieldsOf = (target: string | null): ReadonlySet<string> => {
  const { kind, id } = referenceIn(target ?? '');
  if (kind !== 'settings' || !Object.hasOwn(sections, id)) return new Set();
  const fields = Object.entries(sections[id]?.fields ?? {});
  return new Set(fields.flatMap(([name, { sensitive }]) => (sensitive ? [name] : [])));
};
