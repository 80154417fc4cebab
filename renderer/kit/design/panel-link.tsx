import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { hrefOf } from '../routing/hash-location.ts';

/** A link within the panel; it can be opened in a new tab like any other. */
export const PanelLink = ({
  to,
  children,
  ...rest
}: AnchorProps & {
  /** An address of the panel, such as `/servers`. */
  readonly to: string;
  readonly children: ReactNode;
  readonly onClick?: () => void;
}) => (
  <Anchor href={hrefOf(to)} {...rest}>
    {children}
  </Anchor>
);
