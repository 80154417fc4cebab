import type { NumberInputProps } from '@mantine/core';
import { NumberInput } from './number-input.tsx';

/** A whole number, or nothing yet. */
export const NumberField = (props: {
  readonly label: string;
  readonly description?: string;
  readonly inputWrapperOrder?: NumberInputProps['inputWrapperOrder'];
  readonly value: number | '';
  readonly min?: number;
  readonly max: number;
  readonly isRequired?: boolean;
  /** Why the API refused it. */
  readonly error?: string | null;
  readonly onChange: (value: number | '') => void;
}) => {
  const {
    label,
    description,
    inputWrapperOrder,
    value,
    min = 1,
    max,
    isRequired = false,
    error = null,
    onChange,
  } = props;
  return (
    <NumberInput
      label={label}
      {...(description !== undefined && { description })}
      {...(inputWrapperOrder && { inputWrapperOrder })}
      value={value}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : '')}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=" "
      required={isRequired}
      {...(error !== null && { error })}
    />
  );
};
