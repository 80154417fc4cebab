import { Autocomplete, Input, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { faultWords, refusalWords } from './fault-words.ts';
import type { FieldFault, FieldRefusal } from './field-fault.ts';
import { type FieldShape, fieldShape } from './field-shape.ts';
import { formsWords } from './forms.words.ts';
import { SecretField } from './secret-field.tsx';
import { type SectionDraft, withSecret, withValue } from './section-draft.ts';
import { type FieldHint, ValueText } from './value-text.tsx';

const suggestionsAtOnce = 40;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A non-secret field, drawn by its shape. */
const PlainField = (props: {
  readonly shape: FieldShape;
  readonly label: string;
  readonly help: string | null;
  readonly value: unknown;
  readonly error: ReactNode;
  readonly hint?: FieldHint | undefined;
  readonly onChange: (value: unknown) => void;
}) => {
  const { shape, label, help, value, error, hint, onChange } = props;
  const words = useWords(formsWords);
  const shared = { label, description: help, error, 'aria-invalid': Boolean(error) };
  const clearing = { clearButtonProps: { 'aria-label': words.clearField } };
  switch (shape.kind) {
    case 'text': {
      const isRequired = shape.minLength > 0 && !shape.isNullable;
      if (hint?.suggestions)
        return (
          <Autocomplete
            {...shared}
            {...clearing}
            withAsterisk={isRequired}
            value={asText(value)}
            data={hint.suggestions}
            limit={suggestionsAtOnce}
            onChange={onChange}
            autoComplete="off"
            spellCheck={false}
          />
        );
      return (
        <TextInput
          {...shared}
          withAsterisk={isRequired}
          value={asText(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          autoComplete="off"
          dir="auto"
        />
      );
    }
    case 'number':
      return (
        <NumberInput
          {...shared}
          withAsterisk={!shape.isNullable}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          onChange={onChange}
          allowDecimal={!shape.isWhole}
          clampBehavior="none"
          {...(Number.isFinite(shape.min) && { min: shape.min })}
          {...(Number.isFinite(shape.max) && { max: shape.max })}
        />
      );
    case 'flag':
      return (
        <Switch
          label={label}
          description={help}
          error={error}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          {...clearing}
          value={typeof value === 'string' ? value : null}
          data={shape.options.map((option) => ({
            value: option,
            label: hint?.optionLabels?.[option] ?? option,
          }))}
          onChange={onChange}
          allowDeselect={false}
          clearable={shape.isNullable}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...shared}
          {...clearing}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          placeholder={words.add}
          {...(Number.isFinite(shape.maxItems) && { maxTags: shape.maxItems })}
        />
      );
    default:
      return (
        <Input.Wrapper label={label} description={help} error={error} labelElement="div">
          <div>
            {words.notDrawn} <ValueText value={value} />
          </div>
        </Input.Wrapper>
      );
  }
};

export type FieldHints = Readonly<Record<string, FieldHint>>;

/** The fields of any declared section; nothing about it is known in advance. */
export const SectionFields = (props: {
  readonly section: SettingsSection;
  readonly draft: SectionDraft | null;
  readonly faults: ReadonlyMap<string, FieldFault>;
  /** The API's refusals, by field. */
  readonly refusals: ReadonlyMap<string, FieldRefusal>;
  readonly hints: FieldHints;
  readonly onChange: (draft: SectionDraft | null, name: string) => void;
}) => {
  const { section, draft, faults, refusals, hints, onChange } = props;
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
