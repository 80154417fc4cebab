import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { Page as Frame } from '../design/page.tsx';
import { PanelLink } from '../design/panel-link.tsx';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { PanelReplaced } from '../routing/pieces.ts';
import { shellWords } from './shell.words.ts';

interface PageFaultProps {
  readonly children: ReactNode;
}

/** A page that fails says so; the rest of the panel goes on. */
class PageFault extends Component<PageFaultProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <FailedPage error={this.state.error} />;
  }
}

const FailedPage = ({ error }: { readonly error: unknown }) => {
  const general = useWords(designWords);
  const words = useWords(shellWords);
  const reload = () => location.reload();
  if (!(error instanceof PanelReplaced))
    return (
      <Frame title={general.pageFailed}>
        <Trouble error={error} onRetry={reload} />
      </Frame>
    );
  return (
    <Frame title={general.reload} description={words.otherVersion}>
      <div>
        <Button onClick={reload}>{general.reload}</Button>
      </div>
    </Frame>
  );
};

export interface PageDoorProps {
  readonly name: string;
  readonly permission: Permission | null;
  readonly children: ReactNode;
}

/** Shows a page to whoever may see it; to others it says what is missing. */
export const PageDoor = ({ name, permission, children }: PageDoorProps) => {
  const can = useCan();
  const words = useWords(designWords);
  if (permission && !can.somewhere(permission))
    return (
      <Frame title={words.notAllowed} description={words.notAllowedText(permission)}>
        <PanelLink to="/">{words.toOverview}</PanelLink>
      </Frame>
    );
  return <PageFault key={name}>{children}</PageFault>;
};
