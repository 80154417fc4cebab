import { TextInput, type TextInputProps } from '@mantine/core';
import { useTimeZone } from '../language/time-zone.ts';
import { useWords } from '../language/use-words.ts';
import { deviceTimeZone, lastMinute } from './range.ts';
import { recordsWords } from './records.words.ts';

/** Help goes below the field, so that fields side by side are aligned. */
const inputFirst: NonNullable<TextInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

/** A date and time, and the time zone that they are in. */
export const TimeField = (
  props: Pick<TextInputProps, 'label' | 'error' | 'required'> & {
    /** As `asLocal` returns it. */
    readonly value: string;
    readonly onChange: (value: string) => void;
    /** A sentence. */
    readonly help?: string;
    /** The zone of the typed time; absent: the reader's. */
    readonly zone?: string;
  },
) => {
  const { value, onChange, help, zone, ...rest } = props;
  const words = useWords(recordsWords);
  const readers = useTimeZone();
  const inZone = words.timeZone(zone ?? readers ?? deviceTimeZone());
  return (
    <TextInput
      type="datetime-local"
      max={lastMinute}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      description={help ? `${help} ${inZone}` : inZone}
      inputWrapperOrder={inputFirst}
      {...rest}
    />
  );
};
