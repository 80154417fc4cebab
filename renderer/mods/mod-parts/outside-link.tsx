import { Anchor, type AnchorProps } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A link to a page outside of the panel; only URLs that browsers open themselves. */
export const OutsideLink = ({
  href,
  children,
  ...rest
}: AnchorProps & {
  readonly href: string;
  readonly children: ReactNode;
}) =>
  /^https?:/i.test(href) ? (
    <Anchor href={href} target="_blank" rel="noreferrer" {...rest}>
      {children} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: '-0.15em' }} />
    </Anchor>
  ) : null;
