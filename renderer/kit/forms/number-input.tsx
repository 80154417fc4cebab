import { NumberInput as Input, type NumberInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { fieldMessagesWords } from './field-messages.words.ts';

/** A number field that says at the field what is out of its range, and keeps its form from being sent, instead of changing it. */
export const NumberInput = ({ error, ...props }: NumberInputProps) => {
  const words = useWords(fieldMessagesWords);
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const { value, min, max } = props;
  const isNumber = typeof value === 'number';
  const fault =
    isNumber && min !== undefined && value < min
      ? words.tooSmall(format.number(min))
      : isNumber && max !== undefined && value > max
        ? words.tooLarge(format.number(max))
        : null;
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  return <Input {...props} ref={input} clampBehavior="none" error={fault ?? error} />;
};
