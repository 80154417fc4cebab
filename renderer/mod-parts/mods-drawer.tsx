import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { designWords } from '../design/design.words.ts';
import { useReturnFocus } from '../design/use-return-focus.ts';
import { useWords } from '../language/use-words.ts';

export interface ModsDrawerProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The search and the details of mods, beside the page that they are for. */
export const ModsDrawer = ({ title, onClose, children }: ModsDrawerProps) => {
  useReturnFocus();
  const words = useWords(designWords);
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="xl" returnFocus={false}>
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
