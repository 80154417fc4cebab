import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';
import { useReturnFocus } from './use-return-focus.ts';

/** Details beside the page that they belong to; the focus returns to what opened them. */
export const SideDrawer = ({
  title,
  size,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly size: 'lg' | 'xl';
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  useReturnFocus();
  const words = useWords(designWords);
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={size} returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Mantine's own header would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md">
          <Drawer.Title fw={600} fz="xl">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={words.close} />
        </Group>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
};
