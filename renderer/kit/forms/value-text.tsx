import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { formsWords } from './forms.words.ts';

export interface FieldHint {
  /** Likely values, offered while typing. */
  readonly suggestions?: readonly string[];
  /** The labels of a choice's values. */
  readonly optionLabels?: Readonly<Record<string, string>>;
}

/** A field's value in words. */
export const ValueText = ({
  value,
  hint,
}: {
  readonly value: unknown;
  readonly hint?: FieldHint | undefined;
}) => {
  const words = useWords(formsWords);
  const format = useFormat();
  const inWords = (each: unknown): string => {
    if (each === null || each === undefined || each === '') return words.none;
    if (typeof each === 'boolean') return each ? words.yes : words.no;
    if (typeof each === 'number') return format.number(each);
    if (Array.isArray(each)) return each.length === 0 ? words.none : format.list(each.map(inWords));
    return typeof each === 'string' ? (hint?.optionLabels?.[each] ?? each) : JSON.stringify(each);
  };
  return <bdi>{inWords(value)}</bdi>;
};
