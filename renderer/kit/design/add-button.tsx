import { Button, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

interface AddButtonProps extends Omit<ButtonProps, 'leftSection'> {
  readonly onClick: () => void;
}

/** The button that adds something to a list. */
export const AddButton = (props: AddButtonProps) => (
  <Button leftSection={<IconPlus size={16} aria-hidden />} {...props} />
);
