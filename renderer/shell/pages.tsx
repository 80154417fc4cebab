import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { designWords } from '../design/design.words.ts';
import { Loading } from '../design/loading.tsx';
import { Page as Frame } from '../design/page.tsx';
import { PanelLink } from '../design/panel-link.tsx';
import { useWords } from '../language/use-words.ts';
import { type NavigationEntry, navigation, pageNames } from '../navigation.ts';
import { RequirePermission } from './require-permission.tsx';

/** The page at the address. */
export const Pages = () => {
  const general = useWords(designWords);
  return (
    <Switch>
      {pageNames.map((name) => {
        const { path, permission, page: Page }: NavigationEntry = navigation[name];
        return (
          <Route key={name} path={path === '/' ? '/' : `${path}/*?`}>
            <RequirePermission name={name} permission={permission}>
              <Suspense fallback={<Loading shape="page" />}>
                <Page />
              </Suspense>
            </RequirePermission>
          </Route>
        );
      })}
      <Route>
        <Frame title={general.notFound} description={general.notFoundText}>
          <PanelLink to="/">{general.toOverview}</PanelLink>
        </Frame>
      </Route>
    </Switch>
  );
};
