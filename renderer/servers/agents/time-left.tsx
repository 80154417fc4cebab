import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../../kit/language/use-words.ts';
import { enrolWords } from './enrol.words.ts';

const secondMs = 1000;

/** Counts down; read out only when a reader moves there. */
export const TimeLeft = ({ endsAtMs }: { readonly endsAtMs: number }) => {
  const words = useWords(enrolWords);
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), secondMs);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((endsAtMs - nowMs) / secondMs));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <Text role="timer" c="dimmed" size="sm">
      {seconds === 0 ? words.isOver : words.left(time)}
    </Text>
  );
};
