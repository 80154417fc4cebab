import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Router } from 'wouter';
import { Doors } from './access/doors.tsx';
import { theme } from './design/theme.ts';
import { useLanguage } from './language/use-words.ts';
import { useHashLocation, useHashSearch } from './routing/use-hash-location.ts';
import { Shell } from './shell/shell.tsx';
import { queryClient } from './wire/queries.ts';

/** The composition root of the panel. */
export const App = () => {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <Router hook={useHashLocation} searchHook={useHashSearch}>
          <Doors>
            <Shell />
          </Doors>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
};
