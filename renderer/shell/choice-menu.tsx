import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ChoiceMenuProps {
  /** What is chosen here. */
  readonly label: string;
  readonly icon: ReactNode;
  /** The lines of the menu. */
  readonly children: ReactNode;
}

/** A button of the header that opens a menu of what can be chosen. */
export const ChoiceMenu = ({ label, icon, children }: ChoiceMenuProps) => (
  <Menu withinPortal={false} position="bottom-end">
    <Menu.Target>
      <Tooltip label={label} withinPortal={false}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          {icon}
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
