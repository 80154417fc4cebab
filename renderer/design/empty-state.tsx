import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** What to do first. */
  readonly action?: ReactNode;
}

/** What stands where nothing is yet: why, and the way on. */
export const EmptyState = ({ title, text, action }: EmptyStateProps) => (
  <Stack align="center" gap="xs" py="xl" ta="center">
    <Title order={2}>{title}</Title>
    {text !== undefined && (
      <Text c="dimmed" maw="32rem" component="div">
        {text}
      </Text>
    )}
    {action}
  </Stack>
);
