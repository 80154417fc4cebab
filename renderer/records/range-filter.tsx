import { TextInput } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { useSearchState } from '../routing/use-search-state.ts';
import { asInstant } from './range.ts';
import { recordsWords } from './records.words.ts';

/** As the field for date and time shows it: local, to the minute. */
const asLocal = (value: string | undefined): string => {
  const instant = asInstant(value);
  if (!instant) return '';
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** From when and until when, in the time zone of this device; kept in the address. */
export const RangeFilter = () => {
  const words = useWords(recordsWords);
  const { values, set } = useSearchState();
  return (['from', 'to'] as const).map((name) => (
    <TextInput
      key={name}
      type="datetime-local"
      size="xs"
      label={words[name]}
      value={asLocal(values[name])}
      onChange={({ currentTarget }) => set({ [name]: asInstant(currentTarget.value) ?? '' })}
    />
  ));
};
