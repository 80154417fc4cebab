import { Drawer, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { designWords } from '../design/design.words.ts';
import { useReturnFocus } from '../design/use-return-focus.ts';
import { useWords } from '../language/use-words.ts';

export interface RecordDrawerProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A whole record, beside the list that it is from; the focus returns to its row. */
export const RecordDrawer = ({ title, onClose, children }: RecordDrawerProps) => {
  useReturnFocus();
  const words = useWords(designWords);
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="lg" returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Mantine's own header would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md">
          <Drawer.Title fw={600} fz="xl">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={words.close} />
        </Group>
        <Drawer.Body>
          <Stack gap="md">{children}</Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
};
