import { TextInput } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { FilterBox } from '../lists/filter-box.tsx';
import { useSearchState } from '../routing/use-search-state.ts';
import classes from './filters.module.css';
import { asInstant, asLocal, dayStart, lastMinute, rangeChoiceIn, rangePresets } from './range.ts';
import { recordsWords } from './records.words.ts';

/** For a box that cannot show its purpose once it is filled in: its label is inside it. */
const labelInside = (label: string) => ({
  leftSection: (
    <span aria-hidden className={classes.label}>
      {label}:
    </span>
  ),
  leftSectionWidth: `calc(${label.length} * 0.8ch + 2rem)`,
  leftSectionPointerEvents: 'none' as const,
});

/** A time span: whole days, or from one time to another, in the reader's time zone; kept in the address. */
export const RangeFilter = () => {
  const words = useWords(recordsWords);
  const { values, set } = useSearchState();
  const choice = rangeChoiceIn(values);
  const choose = (next: string) =>
    set({
      when: next,
      // Starts with a value that can be changed.
      from: next === 'range' ? dayStart(new Date(), 0).toISOString() : '',
      to: '',
    });
  return (
    <>
      <FilterBox
        label={words.when}
        options={[...rangePresets, 'range' as const].map((value) => ({ value, label: words.ranges[value] }))}
        value={choice}
        onChange={choose}
      />
      {choice === 'range' &&
        (['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            className={classes.time}
            aria-label={words[name]}
            {...labelInside(words[name])}
            max={lastMinute}
            value={asLocal(values[name])}
            onChange={({ currentTarget }) =>
              set({ when: 'range', [name]: asInstant(currentTarget.value) ?? '' })
            }
          />
        ))}
    </>
  );
};
