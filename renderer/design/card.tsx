import { Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export interface CardProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, a landmark with its title. */
export const Card = ({ title, actions, children }: CardProps) => {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="md" bg="var(--surface-card)">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
};
