import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button of the frame that opens a menu of options. */
export const ChoiceMenu = ({
  label,
  icon,
  children,
}: {
  /** What is chosen here. */
  readonly label: string;
  readonly icon: ReactNode;
  /** The lines of the menu. */
  readonly children: ReactNode;
}) => (
  <Menu withinPortal={false} position="bottom-end">
    {/* Around the target: inside it, it would hide from the button that it opens a menu. */}
    <Tooltip label={label} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="md" aria-label={label}>
          {icon}
        </ActionIcon>
      </Menu.Target>
    </Tooltip>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
