import { Button, CloseButton, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconBookmark } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useMe } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';
import { longestViewName, type SaveOutcome, useSavedViews } from './saved-views.ts';

/** A search, filters and an order saved under a name. */
export const ViewsMenu = (props: {
  /** The name of the list. */
  readonly name: string;
  /** The current search, as in an address. */
  readonly search: string;
  readonly onChoose: (search: string) => void;
}) => {
  const { name: list, search, onChoose } = props;
  const words = useWords(listsWords);
  const { views, save, remove } = useSavedViews(list, useMe().id);
  const [isOpen, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [outcome, setOutcome] = useState<SaveOutcome>('saved');
  const nameInput = useRef<HTMLInputElement>(null);
  const wanted = name.trim();
  // The popover itself only receives the key while it has the focus.
  useWindowEvent('keydown', ({ key }) => {
    if (isOpen && key === 'Escape') close();
  });

  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-end"
      trapFocus
      returnFocus
      // While hidden it cannot take the focus, and would lose it.
      hideDetached={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={toggle}
          aria-expanded={isOpen}
        >
          {words.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w="min(20rem, 92vw)" aria-label={words.views}>
        <Stack gap="sm">
          {views.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noViews}
            </Text>
          ) : (
            <Stack gap={0} className={classes.views} component="ul">
              {views.map((view) => (
                <Group key={view.name} gap="xs" wrap="nowrap" component="li">
                  <Button
                    variant={view.search === search ? 'light' : 'subtle'}
                    color="gray"
                    justify="flex-start"
                    fullWidth
                    size="compact-md"
                    aria-current={view.search === search}
                    onClick={() => {
                      onChoose(view.search);
                      close();
                    }}
                  >
                    <bdi>{view.name}</bdi>
                  </Button>
                  <CloseButton
                    aria-label={words.removeView(view.name)}
                    onClick={() => {
                      remove(view.name);
                      setOutcome('saved');
                      // The button disappears with its view.
                      nameInput.current?.focus();
                    }}
                  />
                </Group>
              ))}
            </Stack>
          )}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (wanted === '') return;
              const result = save({ name: wanted, search });
              setOutcome(result);
              if (result === 'saved') setName('');
            }}
          >
            <Stack gap="xs">
              <TextInput
                ref={nameInput}
                label={words.viewName}
                value={name}
                maxLength={longestViewName}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                error={
                  outcome === 'too many'
                    ? words.tooManyViews
                    : outcome === 'refused'
                      ? words.viewRefused
                      : undefined
                }
              />
              <Button type="submit" variant="default" disabled={wanted === ''}>
                {words.saveView}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
