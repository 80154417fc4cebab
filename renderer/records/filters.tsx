import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import classes from './filters.module.css';
import { recordsWords } from './records.words.ts';

export interface FiltersProps {
  readonly children: ReactNode;
  /** Absent: nothing is filtered. */
  readonly onClear?: () => void;
}

/** The filters of a list, as many beside each other as there is room for. */
export const Filters = ({ children, onClear }: FiltersProps) => {
  const words = useWords(recordsWords);
  return (
    <search className={classes.filters}>
      {children}
      {onClear && (
        <Button className={classes.clear} variant="subtle" size="xs" onClick={onClear}>
          {words.clear}
        </Button>
      )}
    </search>
  );
};
