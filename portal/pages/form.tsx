import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { csrfFieldName } from './csrf.ts';
import { pagesWords } from './pages.words.ts';
import { useWords } from './reader.ts';

/** What is wrong with a field, in words; a null `field` means the whole form. */
export interface FieldError {
  readonly field: string | null;
  readonly message: string;
}

/** A form that changes something. */
export const Form = ({
  action,
  csrf,
  submit,
  tone = 'primary',
  inline,
  children,
}: {
  readonly action: string;
  readonly csrf: string;
  /** The label of the button. */
  readonly submit: string;
  readonly tone?: 'primary' | 'secondary' | 'danger';
  /** Fields and button on one line. */
  readonly inline?: boolean;
  readonly children?: ReactNode;
}) => (
  // The browser's own messages are not used: they look different everywhere and disappear again.
  <form method="post" action={action} className={inline ? 'inline' : undefined} noValidate>
    <CsrfField token={csrf} />
    {children}
    <button className={tone === 'primary' ? 'button' : `button ${tone}`} type="submit">
      {submit}
    </button>
  </form>
);

export const CsrfField = ({ token }: { token: string }) => (
  <input type="hidden" name={csrfFieldName} value={token} />
);

export const fieldId = (name: string): string => `field-${name}`;

/** A labelled input with its hint and its error. */
export const Field = (props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** All errors of the form; the field shows its own. */
  readonly errors?: readonly FieldError[];
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'search';
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly inputMode?: 'text' | 'numeric' | 'email';
  readonly spellCheck?: boolean;
  /** `mono` for text that is compared character by character, `code` for a one-time code. */
  readonly look?: 'mono' | 'code';
  readonly required?: boolean;
}) => {
  const { name, label, hint, errors = [], value, type = 'text', look, required = true, ...rest } = props;
  const fault = errors.find((error) => error.field === name)?.message;
  const id = fieldId(name);
  const described = [hint ? `${id}-hint` : null, fault ? `${id}-fault` : null].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
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
      <input
        {...rest}
        id={id}
        name={name}
        type={type}
        className={look}
        defaultValue={value}
        required={required}
        aria-invalid={fault ? true : undefined}
        aria-describedby={described || undefined}
      />
    </div>
  );
};

/** Above a refused form: what is wrong, each linked to its field. Empty if nothing is wrong. */
export const ErrorSummary = ({ errors }: { errors: readonly FieldError[] }) => {
  const words = useWords(pagesWords);
  if (errors.length === 0) return null;
  return (
    <div className="notice bad" role="alert" aria-labelledby="error-summary">
      <h2 id="error-summary">{words.refused}</h2>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={`${field}:${message}`}>
            {field ? <a href={`#${fieldId(field)}`}>{message}</a> : message}
          </li>
        ))}
      </ul>
    </div>
  );
};
