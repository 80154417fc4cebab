import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: string;
  /** Which part of the page is seen; it stands in the window's title alone. */
  readonly part?: string;
  readonly description?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its title, what it is for, what can be done. */
export const Page = ({ title, part, description, actions, children }: PageProps) => {
  useDocumentTitle(`${part === undefined ? title : `${title}, ${part}`} – Castellan`);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex={{ base: '0 1 auto', sm: '1 1 10rem' }} miw={0}>
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
};
