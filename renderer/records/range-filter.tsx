import { TextInput } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { useSearchState } from '../routing/use-search-state.ts';
import classes from './filters.module.css';
import { labelInside } from './label-inside.tsx';
import { asInstant, asLocal, lastMinute } from './range.ts';
import { recordsWords } from './records.words.ts';

/** From when and until when, in the time zone of this device; kept in the address. */
export const RangeFilter = () => {
  const words = useWords(recordsWords);
  const { values, set } = useSearchState();
  return (['from', 'to'] as const).map((name) => (
    <TextInput
      key={name}
      type="datetime-local"
      className={classes.time}
      aria-label={words[name]}
      {...labelInside(words[name])}
      max={lastMinute}
      value={asLocal(values[name])}
      onChange={({ currentTarget }) => set({ [name]: asInstant(currentTarget.value) ?? '' })}
    />
  ));
};
