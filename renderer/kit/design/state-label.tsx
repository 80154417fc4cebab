import type { ReactNode } from 'react';
import classes from './state-label.module.css';

/** The meaning of a state: fine, in progress, needs attention, broken, not in use. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

/** Each tone has a shape, so that states can be told apart without colours. */
const shapes: Readonly<Record<Tone, ReactNode>> = {
  ok: <circle cx="5" cy="5" r="4" />,
  busy: <path d="M5 1a4 4 0 0 1 0 8zM5 1a4 4 0 1 0 0 8V7.8a2.8 2.8 0 1 1 0-5.6z" />,
  warn: <path d="M5 .6 9.6 9H.4z" />,
  bad: <path d="M5 0l5 5-5 5-5-5z" />,
  idle: <path d="M5 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8m0 1.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2" />,
};

/** The icon of a tone alone; the words are next to it. */
export const ToneSign = ({ tone }: { readonly tone: Tone }) => (
  <svg className={classes.sign} data-tone={tone} width={10} height={10} viewBox="0 0 10 10" aria-hidden>
    {shapes[tone]}
  </svg>
);

/** A state in a word, with its icon. */
export const StateLabel = ({
  tone,
  isPlain = false,
  children,
}: {
  readonly tone: Tone;
  /** Within a line of text: without the soft background of a pill. */
  readonly isPlain?: boolean;
  readonly children: ReactNode;
}) => (
  <span className={isPlain ? classes.plain : classes.pill} data-tone={tone}>
    <ToneSign tone={tone} />
    <span>{children}</span>
  </span>
);
