import { Anchor } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';

/** A link to the customer area; the desktop opens it in the system's browser, even if the portal has no https. */
export const CustomerAreaLink = ({
  url,
  children,
}: {
  readonly url: string;
  readonly children: ReactNode;
}) => {
  const open = (event: MouseEvent) => {
    if (!desktopBridge()) return;
    event.preventDefault();
    void callDesktop('license.open', { page: 'customer-area' });
  };
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" onClick={open}>
      {children}
    </Anchor>
  );
};
