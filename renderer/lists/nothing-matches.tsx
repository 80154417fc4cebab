import { Button } from '@mantine/core';
import { EmptyState } from '../design/empty-state.tsx';
import { useWords } from '../language/use-words.ts';
import { listsWords } from './lists.words.ts';

export const NothingMatches = ({ onClear }: { readonly onClear: () => void }) => {
  const words = useWords(listsWords);
  return (
    <EmptyState
      title={words.nothingMatches}
      text={words.nothingMatchesText}
      action={
        <Button variant="default" onClick={onClear}>
          {words.clearAll}
        </Button>
      }
    />
  );
};
