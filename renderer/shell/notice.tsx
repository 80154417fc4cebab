import type { ReactNode } from 'react';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import classes from './notice.module.css';

export interface NoticeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** An action to solve it. */
  readonly action?: ReactNode;
}

/** A message about the whole panel, shown above every page until it is over. */
export const Notice = ({ tone, children, action }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone}>
    <StateLabel tone={tone} isPlain>
      {children}
    </StateLabel>
    {action}
  </div>
);
