import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { Router } from 'wouter';
import { queryClient } from './kit/api/queries.ts';
import { designWords } from './kit/design/design.words.ts';
import { Fault } from './kit/design/fault.tsx';
import { FaultBoundary } from './kit/design/fault-boundary.tsx';
import { useAreNoticesWanted } from './kit/design/notify.ts';
import { themeWith } from './kit/design/theme.ts';
import { useLanguage, useWords } from './kit/language/use-words.ts';
import { loadWhenServed } from './kit/routing/page-chunks.ts';
import { useHashLocation, useHashSearch } from './kit/routing/use-hash-location.ts';
import { AuthGate } from './shell/access/auth-gate.tsx';
import { AuthLayout } from './shell/access/auth-layout.tsx';
import { DesktopLink } from './shell/desktop/desktop-link.tsx';
import { Shell } from './shell/shell.tsx';

const Toasts = lazy(
  loadWhenServed(() => import('./kit/design/toasts.tsx').then(({ Toasts }) => ({ default: Toasts }))),
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
