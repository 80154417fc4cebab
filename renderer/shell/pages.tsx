import { type ReactNode, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import type { Permission } from '#contracts/identity/permissions.ts';
import { useCan } from '../kit/access/access-state.ts';
import { designWords } from '../kit/design/design.words.ts';
import { Fault } from '../kit/design/fault.tsx';
import { FaultBoundary } from '../kit/design/fault-boundary.tsx';
import { Loading } from '../kit/design/loading.tsx';
import { Page as Frame } from '../kit/design/page.tsx';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { type NavigationEntry, navigation, pageNames } from './navigation.ts';

const FailedPage = ({ error }: { readonly error: unknown }) => {
  const words = useWords(designWords);
  return (
    <Frame title={words.pageFailed}>
      <Fault error={error} />
    </Frame>
  );
};

/** Shows a page to people who may see it; tells others what is missing. */
const RequirePermission = (props: {
  readonly name: string;
  readonly permission: Permission | null;
  readonly children: ReactNode;
}) => {
  const { name, permission, children } = props;
  const can = useCan();
  const words = useWords(designWords);
  if (permission && !can.somewhere(permission))
    return (
      <Frame title={words.notAllowed} description={words.notAllowedText(permission)}>
        <PanelLink to="/">{words.toOverview}</PanelLink>
      </Frame>
    );
  return (
    <FaultBoundary key={name} shown={(error) => <FailedPage error={error} />}>
      {children}
    </FaultBoundary>
  );
};

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
