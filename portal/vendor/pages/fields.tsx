import type { ReactNode } from 'react';
import { type FieldError, fieldId } from '../../pages/form.tsx';

interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly errors?: readonly FieldError[];
}

interface Described {
  readonly id: string;
  readonly invalid: true | undefined;
  readonly describedBy: string | undefined;
  /** Hint and error, between label and control. */
  readonly description: ReactNode;
}

const describe = ({ name, hint, errors = [] }: LabelledProps): Described => {
  const fault = errors.find((error) => error.field === name)?.message;
  const id = fieldId(name);
  const describedBy = [hint ? `${id}-hint` : null, fault ? `${id}-fault` : null].filter(Boolean).join(' ');
  return {
    id,
    invalid: fault ? true : undefined,
    describedBy: describedBy || undefined,
    description: (
      <>
        {hint && (
          <div className="hint" id={`${id}-hint`}>
            {hint}
          </div>
        )}
        {fault && (
          <div className="fault" id={`${id}-fault`}>
            {fault}
          </div>
        )}
      </>
    ),
  };
};

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One choice from a list. */
export const SelectField = ({
  value,
  choices,
  ...props
}: LabelledProps & { readonly value: string; readonly choices: readonly Choice[] }) => {
  const { id, invalid, describedBy, description } = describe(props);
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {description}
      <select
        id={id}
        name={props.name}
        defaultValue={value}
        aria-invalid={invalid}
        aria-describedby={describedBy}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Any number of choices from a list, each with a checkbox. */
export const CheckboxesField = ({
  values,
  choices,
  ...props
}: LabelledProps & { readonly values: readonly string[]; readonly choices: readonly Choice[] }) => {
  const { id, describedBy, description } = describe(props);
  return (
    <fieldset id={id} aria-describedby={describedBy}>
      <legend>{props.label}</legend>
      {description}
      {choices.map(({ value, label }) => (
        <div key={value} className="choice">
          <input
            id={`${id}-${value}`}
            type="checkbox"
            name={props.name}
            value={value}
            defaultChecked={values.includes(value)}
          />
          <label htmlFor={`${id}-${value}`}>{label}</label>
        </div>
      ))}
    </fieldset>
  );
};

/** A day in the browser's own picker, which needs no script; without a picker, `2026-03-29` is accepted. */
export const DateField = ({
  value,
  min,
  ...props
}: LabelledProps & { readonly value: string; readonly min: string }) => {
  const { id, invalid, describedBy, description } = describe(props);
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {description}
      <input
        id={id}
        name={props.name}
        type="date"
        className="short"
        defaultValue={value}
        min={min}
        max={lastDay}
        autoComplete="off"
        aria-invalid={invalid}
        aria-describedby={describedBy}
      />
    </div>
  );
};

/** Later than anyone needs; people write it for "never". */
const lastDay = '9999-12-31';

/** A longer text. */
export const TextField = ({
  value,
  maxLength,
  ...props
}: LabelledProps & { readonly value: string; readonly maxLength: number }) => {
  const { id, invalid, describedBy, description } = describe(props);
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {description}
      <textarea
        id={id}
        name={props.name}
        rows={3}
        maxLength={maxLength}
        dir="auto"
        defaultValue={value}
        required
        aria-invalid={invalid}
        aria-describedby={describedBy}
      />
    </div>
  );
};
