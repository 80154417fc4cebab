import { Container, Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { useSiteName } from '../../kit/community/community-state.ts';
import { Mark } from '../../kit/design/mark.tsx';
import { ColourMenu } from '../colour-menu.tsx';
import { LanguageMenu } from '../language-menu.tsx';

/**
 * Sets the tab's title, and restores the old one on unmount. In the layout phase: any later, it would overwrite the
 * title of the page that follows.
 */
export const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
};

/** The frame of the screens before the panel: sign-in, the first owner, an invalid license. */
export const AuthLayout = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  useTitle(`${title} – ${useSiteName()}`);
  return (
    <Container size="30rem" component="main" py="10vh">
      <Stack>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Mark isWhole />
          <Group gap={4} wrap="nowrap">
            <ColourMenu />
            <LanguageMenu />
          </Group>
        </Group>
        <Paper withBorder p="lg" bg="var(--surface-card)">
          <Stack>
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Container>
  );
};
