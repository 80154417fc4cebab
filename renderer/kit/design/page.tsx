import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSiteName } from '../community/community-state.ts';
import { HelpButton } from '../help/help-button.tsx';
import classes from './page.module.css';

/** The frame of every page: its title, its purpose, its actions. */
export const Page = (props: {
  readonly title: string;
  /** The tab that is shown; it appears only in the window's title. */
  readonly part?: string;
  readonly description?: ReactNode;
  /** Buttons to the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => {
  const { title, part, description, actions, children } = props;
  useDocumentTitle(`${part === undefined ? title : `${title}, ${part}`} – ${useSiteName()}`);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.title}>
          <div className={classes.line}>
            <Title order={1}>{title}</Title>
            <HelpButton />
          </div>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
};
