import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import { listsWords } from './lists.words.ts';

export interface FilterFoldProps {
  /** How many are set. */
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** On a phone the filters are collapsed behind this, which shows how many are set. */
export const FilterFold = ({ count, isOpen, onToggle }: FilterFoldProps) => {
  const words = useWords(listsWords);
  return (
    <Button
      variant={count > 0 ? 'light' : 'default'}
      px="sm"
      leftSection={<IconFilter size={16} aria-hidden />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {count > 0 ? words.filtersSet(count) : words.filters}
    </Button>
  );
};
