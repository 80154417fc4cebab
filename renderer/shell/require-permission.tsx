import type { ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { Fault } from '../design/fault.tsx';
import { FaultBoundary } from '../design/fault-boundary.tsx';
import { Page as Frame } from '../design/page.tsx';
import { PanelLink } from '../design/panel-link.tsx';
import { useWords } from '../language/use-words.ts';

const FailedPage = ({ error }: { readonly error: unknown }) => {
  const words = useWords(designWords);
  return (
    <Frame title={words.pageFailed}>
      <Fault error={error} />
    </Frame>
  );
};

export interface RequirePermissionProps {
  readonly name: string;
  readonly permission: Permission | null;
  readonly children: ReactNode;
}

/** Shows a page to people who may see it; tells others what is missing. */
export const RequirePermission = ({ name, permission, children }: RequirePermissionProps) => {
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
