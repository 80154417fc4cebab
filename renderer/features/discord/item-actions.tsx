import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';

export interface ItemActionsProps {
  readonly words: { readonly remove: string; readonly removed: string };
  /** The title of the question before it is removed. */
  readonly title: string;
  readonly text: string;
  readonly onRemove: () => Promise<unknown>;
  /** Further actions. */
  readonly children: ReactNode;
}

/** The actions on one entity of a card's list; removing it asks first. */
export const ItemActions = ({ words, title, text, onRemove, children }: ItemActionsProps) => {
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <>
      <Group gap="xs" mt="xs">
        {children}
        <Button size="xs" variant="default" onClick={() => setIsRemoving(true)}>
          {words.remove}
        </Button>
      </Group>
      {isRemoving && (
        <ConfirmAction
          title={title}
          act={words.remove}
          onAction={async () => {
            await onRemove();
            notifyDone(words.removed);
          }}
          onClose={() => setIsRemoving(false)}
        >
          <Text>{text}</Text>
        </ConfirmAction>
      )}
    </>
  );
};
