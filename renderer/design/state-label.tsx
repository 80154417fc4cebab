import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconLoader,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './state-label.module.css';

/** What a state means: fine, under way, needs a look, broken, not in use. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

/** Each tone has a shape of its own, for whoever does not see the colours. */
const icons = {
  ok: IconCircleCheckFilled,
  busy: IconLoader,
  warn: IconAlertTriangleFilled,
  bad: IconCircleXFilled,
  idle: IconCircleDashed,
} as const;

export interface StateLabelProps {
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** A state in a word, with its sign. */
export const StateLabel = ({ tone, children }: StateLabelProps) => {
  const Icon = icons[tone];
  return (
    <span className={classes.label}>
      <Icon size={16} color={`var(--tone-${tone})`} aria-hidden />
      <span>{children}</span>
    </span>
  );
};
