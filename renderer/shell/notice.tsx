import type { ReactNode } from 'react';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import classes from './notice.module.css';

export interface NoticeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** What can be done about it. */
  readonly action?: ReactNode;
}

/** Something about all of the panel, said above every page until it is over. */
export const Notice = ({ tone, children, action }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone}>
    <StateLabel tone={tone}>{children}</StateLabel>
    {action}
  </div>
);
