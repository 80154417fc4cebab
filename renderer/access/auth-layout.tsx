import { Container, Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { Mark } from '../design/mark.tsx';
import { ColourMenu } from '../shell/colour-menu.tsx';
import { LanguageMenu } from '../shell/language-menu.tsx';

/**
 * Of the tab, until what it covers is seen again. As early as it is drawn and gone: later, it would take back the title
 * of the page that has come in its place.
 */
const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
};

/** The frame of what stands before the panel: signing in, the first owner, a license that does not hold. */
export const AuthLayout = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  useTitle(`${title} – Castellan`);
  return (
    <Container size="30rem" component="main" py="10vh">
      <Stack>
        <Group justify="space-between">
          <Mark />
          <Group gap={4}>
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
