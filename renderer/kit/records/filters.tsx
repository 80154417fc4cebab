import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useWords } from '../language/use-words.ts';
import { FilterFold } from '../lists/filter-box.tsx';
import classes from './filters.module.css';
import { recordsWords } from './records.words.ts';

/** The filters of a list, as many side by side as fit; on a phone they can be collapsed. */
export const Filters = (props: {
  /** Content that stays visible while the others are collapsed. */
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** How many are set. */
  readonly count: number;
  readonly onClear: () => void;
}) => {
  const { lead, children, count, onClear } = props;
  const words = useWords(recordsWords);
  const isNarrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const [isOpen, setIsOpen] = useState(count > 0);
  return (
    <search className={classes.filters}>
      {lead}
      {isNarrow && <FilterFold count={count} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />}
      {(!isNarrow || isOpen) && children}
      {count > 0 && (
        <Button variant="subtle" px="sm" onClick={onClear}>
          {words.clear}
        </Button>
      )}
    </search>
  );
};
