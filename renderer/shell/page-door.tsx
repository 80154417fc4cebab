import { Component, type ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';

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
    return <Trouble error={this.state.error} onRetry={() => location.reload()} />;
  }
}

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
    return <EmptyState title={words.notAllowed} text={words.notAllowedText(permission)} />;
  return <PageFault key={name}>{children}</PageFault>;
};
