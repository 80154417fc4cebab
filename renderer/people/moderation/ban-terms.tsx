import { Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { longestBanReason } from '#contracts/people/bans.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { asInstant } from '../../kit/records/range.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { bansWords } from './bans.words.ts';

const hourMs = 3_600_000;
const lengths = {
  never: null,
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
} as const;
type Length = keyof typeof lengths | 'time';
const lengthNames = [...(Object.keys(lengths) as (keyof typeof lengths)[]), 'time'] as const;

interface BanTerms {
  readonly reason: string;
  /** A duration counts from now; null: until it is lifted. */
  until(): string | null;
  readonly isReady: boolean;
  readonly fields: BanTermsFieldsProps;
}

interface BanTermsFieldsProps {
  readonly reason: string;
  readonly length: Length;
  readonly time: string;
  readonly isPast: boolean;
  readonly onReason: (reason: string) => void;
  readonly onLength: (length: Length) => void;
  readonly onTime: (time: string) => void;
}

/** The reason and the end of a ban. */
export const useBanTerms = (): BanTerms => {
  const [reason, setReason] = useState('');
  const [length, setLength] = useState<Length>('never');
  const [time, setTime] = useState('');
  const endMs = (): number | null => {
    if (length === 'time') return Date.parse(asInstant(time) ?? '');
    const ms = lengths[length];
    return ms === null ? null : serverNowMs() + ms;
  };
  const end = endMs();
  const isPast = length === 'time' && time !== '' && !(end !== null && end > serverNowMs());
  return {
    reason,
    until() {
      const at = endMs();
      return at === null ? null : new Date(at).toISOString();
    },
    isReady: length !== 'time' || (time !== '' && !isPast),
    fields: {
      reason,
      length,
      time,
      isPast,
      onReason: setReason,
      onLength: setLength,
      onTime: setTime,
    },
  };
};

export const BanTermsFields = (props: BanTermsFieldsProps) => {
  const words = useWords(bansWords);
  const { reason, length, time, isPast } = props;
  return (
    <>
      <Textarea
        label={words.reason}
        description={words.reasonHelp}
        value={reason}
        // One line: games support no more.
        onChange={({ currentTarget }) => props.onReason(currentTarget.value.replaceAll(/\p{Cc}+/gu, ' '))}
        maxLength={longestBanReason}
        autosize
        minRows={1}
        data-autofocus
      />
      <Select
        label={words.ends}
        data={lengthNames.map((value) => ({ value, label: words.lengths[value] }))}
        value={length}
        onChange={(value) => props.onLength(lengthNames.find((name) => name === value) ?? 'never')}
        allowDeselect={false}
      />
      {length === 'time' && (
        <TimeField
          label={words.endTime}
          value={time}
          onChange={(typed) => props.onTime(typed)}
          error={isPast && words.inPast}
          required
        />
      )}
    </>
  );
};
