import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

/** A section of a page, a landmark: its title over a hairline, and its content. */
export const Card = (props: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => {
  const { title, actions, children } = props;
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  );
};
