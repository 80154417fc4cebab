import { useEffect, useState } from 'react';
import { useFormat } from '../../language/use-format.ts';
import { serverNowMs } from '../../wire/server-clock.ts';
import { timeLeft } from './license-clock.ts';

export interface CountdownProps {
  /** ISO 8601. */
  readonly until: string;
  readonly whenOver: string;
}

/** The time left until a moment, by the clock of the API's machine. */
export const Countdown = ({ until, whenOver }: CountdownProps) => {
  const format = useFormat();
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = timeLeft(until, nowMs, format.duration);
  return (
    <time dateTime={until} role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {left?.text ?? whenOver}
    </time>
  );
};
