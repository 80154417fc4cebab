import { AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useCan } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Loading } from '../design/loading.tsx';
import { Mark } from '../design/mark.tsx';
import { PanelLink } from '../design/panel-link.tsx';
import { useWords } from '../language/use-words.ts';
import { type NavigationEntry, navigation, navigationGroups, pageNames } from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { hrefOf } from '../routing/hash-location.ts';
import { startLive } from '../wire/live.ts';
import { LanguageMenu } from './language-menu.tsx';
import { PageDoor } from './page-door.tsx';
import { shellWords } from './shell.words.ts';

/** What surrounds every page: the side bar, the header, and the connection that keeps all of it true. */
export const Shell = () => {
  const words = useWords(shellWords);
  const names = useWords(navigationWords);
  const general = useWords(designWords);
  const can = useCan();
  const [address] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  useEffect(() => startLive(), []);

  const isHere = (path: string) => address === path || (path !== '/' && address.startsWith(`${path}/`));
  const entries = pageNames.map((name) => ({ name, ...(navigation[name] as NavigationEntry) }));
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between">
          <Group gap="sm">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={words.menu} />
            <Mark />
          </Group>
          <Group gap="xs">
            <LanguageMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={words.navigation}>
        <AppShell.Section grow component={ScrollArea}>
          {navigationGroups.map((group) => (
            <div key={group}>
              {names.groups[group] && (
                <Text size="xs" c="dimmed" px="sm" pt="sm" pb={4}>
                  {names.groups[group]}
                </Text>
              )}
              {entries
                .filter(
                  (entry) => entry.group === group && (!entry.permission || can.somewhere(entry.permission)),
                )
                .map(({ name, path, icon: Icon }) => (
                  <NavLink
                    key={name}
                    href={hrefOf(path)}
                    label={names.pages[name]}
                    leftSection={<Icon size={18} aria-hidden />}
                    active={isHere(path)}
                    {...(isHere(path) && { 'aria-current': 'page' as const })}
                    onClick={close}
                  />
                ))}
            </div>
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <Switch>
          {entries.map(({ name, path, permission, page: Page }) => (
            <Route key={name} path={path === '/' ? '/' : `${path}/*?`}>
              <PageDoor name={name} permission={permission}>
                <Suspense fallback={<Loading />}>
                  <Page />
                </Suspense>
              </PageDoor>
            </Route>
          ))}
          <Route>
            <EmptyState
              title={general.notFound}
              text={general.notFoundText}
              action={<PanelLink to="/">{general.toOverview}</PanelLink>}
            />
          </Route>
        </Switch>
      </AppShell.Main>
    </AppShell>
  );
};
