import { Text } from '@mantine/core';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { listsWords } from './lists.words.ts';

export interface CountLineProps {
  readonly label: string;
  readonly shown: number;
  readonly total: number;
  /** All rows have arrived. */
  readonly isComplete: boolean;
  readonly isLoading: boolean;
}

/** The total number of rows, and how many of them are shown. */
export const CountLine = ({ label, shown, total, isComplete, isLoading }: CountLineProps) => {
  const words = useWords(listsWords);
  const { number } = useFormat();
  const all = isComplete ? words.countAll(label, number(total)) : words.countSoFar(label, number(total));
  const some = isComplete ? words.count : words.countOfSoFar;
  return (
    <Text size="sm" c="dimmed" role="status">
      {isLoading ? '' : shown === total ? all : some(label, number(shown), number(total))}
    </Text>
  );
};
