import { Button, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** The button that adds something to a list. */
export const AddButton = (
  props: Omit<ButtonProps, 'leftSection'> & {
    readonly onClick: () => void;
  },
) => <Button leftSection={<IconPlus size={16} aria-hidden />} {...props} />;
