import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';

/** The list of a card, with the button that adds to it. */
export const CardItems = <Item,>(props: {
  readonly words: { readonly none: string; readonly add: string; readonly botNeeded: string };
  readonly items: readonly Item[];
  readonly item: (item: Item) => ReactNode;
  readonly mayChange: boolean;
  /** The bot is connected, so that channels and roles can be chosen. */
  readonly isBotHere: boolean;
  readonly onAdd: () => void;
  /** A line below the items. */
  readonly foot?: ReactNode;
  /** Further actions, beside the button that adds an item. */
  readonly acts?: ReactNode;
  /** The open dialog. */
  readonly children: ReactNode;
}) => {
  const { words, items, item, mayChange, isBotHere, onAdd, foot, acts, children } = props;
  return (
    <Stack gap="md">
      {items.length === 0 && <EmptyState text={words.none} example="items" />}
      {items.map(item)}
      {foot}
      {mayChange && (
        <Group gap="xs">
          <Button disabled={!isBotHere} onClick={onAdd}>
            {words.add}
          </Button>
          {acts}
          {!isBotHere && <Text size="sm">{words.botNeeded}</Text>}
        </Group>
      )}
      {children}
    </Stack>
  );
};

/** One entity of a card's list. */
export const CardItem = ({
  label,
  head,
  state,
  children,
}: {
  readonly label: string;
  readonly head: ReactNode;
  readonly state: ReactNode;
  readonly children: ReactNode;
}) => (
  <section aria-label={label}>
    <Group justify="space-between" gap="xs">
      {head}
      {state}
    </Group>
    {children}
  </section>
);

export const ItemTime = ({
  name,
  at,
  never,
}: {
  readonly name: string;
  /** Null: it has not happened yet. */
  readonly at: string | null;
  readonly never: string;
}) => (
  <Text size="sm" c="dimmed">
    {name}: {at === null ? never : <TimeAgo at={at} />}
  </Text>
);

/** The actions on one entity of a card's list; removing it asks first. */
export const ItemActions = (props: {
  readonly words: { readonly edit?: string; readonly remove: string; readonly removed: string };
  /** The title of the question before it is removed. */
  readonly title: string;
  readonly text: string;
  readonly onEdit?: () => void;
  readonly onRemove: () => Promise<unknown>;
  /** Further actions. */
  readonly children?: ReactNode;
}) => {
  const { words, title, text, onEdit, onRemove, children } = props;
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <>
      <Group gap="xs" mt="xs">
        {onEdit && (
          <Button size="xs" variant="default" onClick={onEdit}>
            {words.edit}
          </Button>
        )}
        {children}
        <Button size="xs" variant="default" onClick={() => setIsRemoving(true)}>
          {words.remove}
        </Button>
      </Group>
      {isRemoving && (
        <ConfirmAction
          title={title}
          act={words.remove}
          onAction={() => onRemove()}
          doneText={words.removed}
          onClose={() => setIsRemoving(false)}
        >
          <Text>{text}</Text>
        </ConfirmAction>
      )}
    </>
  );
};
