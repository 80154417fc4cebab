import { Autocomplete, Input, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import type { FieldShape } from './field-shape.ts';
import { formsWords } from './forms.words.ts';
import { type FieldHint, ValueText } from './value-text.tsx';

interface PlainFieldProps {
  readonly shape: FieldShape;
  readonly label: string;
  readonly help: string | null;
  readonly value: unknown;
  readonly error: ReactNode;
  readonly hint?: FieldHint | undefined;
  readonly onChange: (value: unknown) => void;
}

const suggestionsAtOnce = 40;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A non-secret field, drawn by its shape. */
export const PlainField = ({ shape, label, help, value, error, hint, onChange }: PlainFieldProps) => {
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
