import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { Router } from 'wouter';
import { AuthGate } from './access/auth-gate.tsx';
import { AuthLayout } from './access/auth-layout.tsx';
import { designWords } from './design/design.words.ts';
import { Fault } from './design/fault.tsx';
import { FaultBoundary } from './design/fault-boundary.tsx';
import { useAreNoticesWanted } from './design/notify.ts';
import { themeWith } from './design/theme.ts';
import { DesktopLink } from './desktop/desktop-link.tsx';
import { useLanguage, useWords } from './language/use-words.ts';
import { loadWhenServed } from './routing/page-chunks.ts';
import { useHashLocation, useHashSearch } from './routing/use-hash-location.ts';
import { Shell } from './shell/shell.tsx';
import { queryClient } from './wire/queries.ts';

const Toasts = lazy(
  loadWhenServed(() => import('./design/toasts.tsx').then(({ Toasts }) => ({ default: Toasts }))),
);

/** The composition root of the panel. */
export const App = () => {
  const language = useLanguage();
  const words = useWords(designWords);
  const { close } = words;
  const theme = useMemo(() => themeWith(close), [close]);
  const areNoticesWanted = useAreNoticesWanted();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <FaultBoundary shown={() => null}>
          <Suspense>{areNoticesWanted && <Toasts />}</Suspense>
        </FaultBoundary>
        <Router hook={useHashLocation} searchHook={useHashSearch}>
          <FaultBoundary
            shown={(error) => (
              <AuthLayout title={words.panelFailed}>
                <Fault error={error} />
              </AuthLayout>
            )}
          >
            <AuthGate>
              <Shell />
            </AuthGate>
          </FaultBoundary>
          <DesktopLink />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
};
