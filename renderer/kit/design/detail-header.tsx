import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSiteName } from '../community/community-state.ts';
import { HelpButton } from '../help/help-button.tsx';
import classes from './detail-header.module.css';

interface DetailFact {
  readonly key: string;
  readonly content: ReactNode;
}

/** The head of a detail page: what the thing is, its state, and the actions on it. Tabs follow it. */
export const DetailHeader = (props: {
  /** An icon at the left, 36 pixels wide. */
  readonly mark?: ReactNode;
  /** The name of the thing. */
  readonly title: string;
  /** The tab that is shown; it appears only in the window's title. */
  readonly part?: string;
  /** The state, as a pill. */
  readonly state?: ReactNode;
  /** The few facts that identify it, on one line. */
  readonly facts: readonly DetailFact[];
  readonly actions?: ReactNode;
}) => {
  const { mark, title, part, state, facts, actions } = props;
  useDocumentTitle(`${part === undefined ? title : `${title}, ${part}`} – ${useSiteName()}`);
  return (
    <div className={classes.head}>
      {mark}
      <div className={classes.names}>
        <div className={classes.line}>
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
          {state}
          <HelpButton />
        </div>
        {facts.length > 0 && (
          <ul className={classes.facts}>
            {facts.map(({ key, content }) => (
              <li key={key}>{content}</li>
            ))}
          </ul>
        )}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
};
