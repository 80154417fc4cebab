import { Stack } from '@mantine/core';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { useLanguage } from '../language/use-words.ts';
import { faultWords, refusalWords } from './fault-words.ts';
import type { FieldFault, FieldRefusal } from './field-fault.ts';
import { fieldShape } from './field-shape.ts';
import { PlainField } from './plain-field.tsx';
import { SecretField } from './secret-field.tsx';
import { type SectionDraft, withSecret, withValue } from './section-draft.ts';
import type { FieldHint } from './value-text.tsx';

export type FieldHints = Readonly<Record<string, FieldHint>>;

interface SectionFieldsProps {
  readonly section: SettingsSection;
  readonly draft: SectionDraft | null;
  readonly faults: ReadonlyMap<string, FieldFault>;
  /** The API's refusals, by field. */
  readonly refusals: ReadonlyMap<string, FieldRefusal>;
  readonly hints: FieldHints;
  readonly onChange: (draft: SectionDraft | null, name: string) => void;
}

/** The fields of any declared section; nothing about it is known in advance. */
export const SectionFields = ({ section, draft, faults, refusals, hints, onChange }: SectionFieldsProps) => {
  const language = useLanguage();
  const errorOf = (name: string) => {
    const fault = faults.get(name);
    if (fault) return faultWords(fault, language);
    const refusal = refusals.get(name);
    return refusal === undefined ? null : refusalWords(refusal, language);
  };
  return (
    <Stack gap="md" maw="36rem">
      {section.fields.map(({ name, label, help, sensitive }) => {
        const shared = {
          label: label[language],
          help: help?.[language] ?? null,
          error: errorOf(name),
        };
        if (sensitive)
          return (
            <SecretField
              key={name}
              {...shared}
              secret={section.secrets[name]}
              typed={draft?.secrets[name]}
              onChange={(value) => onChange(withSecret(draft, section, name, value), name)}
            />
          );
        const isTyped = draft !== null && Object.hasOwn(draft.typed, name);
        return (
          <PlainField
            key={name}
            {...shared}
            shape={fieldShape(section.schema, name)}
            value={isTyped ? draft.typed[name] : section.values[name]}
            hint={hints[name]}
            onChange={(value) => onChange(withValue(draft, section, name, value), name)}
          />
        );
      })}
    </Stack>
  );
};
