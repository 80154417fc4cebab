import { Button, Center, Text } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import type { MoreRows } from './list-props.ts';
import { listsWords } from './lists.words.ts';

export interface ListEndProps {
  readonly more: MoreRows;
  readonly hasRows: boolean;
  /** It does not continue by itself. */
  readonly isStuck: boolean;
  readonly onAskAgain: () => void;
}

/** Whether more rows follow the loaded ones. */
export const ListEnd = ({ more, hasRows, isStuck, onAskAgain }: ListEndProps) => {
  const words = useWords(listsWords);
  const text = more.isLoadingMore ? words.loadingMore : !more.hasMore && hasRows ? words.end : '';
  return (
    <Center>
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      {isStuck && (
        <Button variant="default" onClick={onAskAgain}>
          {words.loadMore}
        </Button>
      )}
    </Center>
  );
};
