import type { ReactNode } from 'react';
import { ApiProblem } from '../wire/api-problem.ts';
import { AsyncContent, type Readable } from './async-content.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

export interface FoundPageProps<Data> {
  readonly read: Readable<Data>;
  /** False: nothing can have the id in this address. */
  readonly isPossible: boolean;
  /** While there is no such thing. */
  readonly title: string;
  readonly noSuch: string;
  readonly noSuchText: string;
  /** The way to those that there are. */
  readonly back: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A page about one thing by its id, or the word that there is none. */
export const FoundPage = <Data,>(props: FoundPageProps<Data>) => {
  const { read, isPossible, title, noSuch, noSuchText, back, children } = props;
  const isUnknown = read.error instanceof ApiProblem && read.error.code === 'NOT_FOUND';
  if (isPossible && !isUnknown) return <AsyncContent read={read}>{children}</AsyncContent>;
  return (
    <Page title={title}>
      <EmptyState title={noSuch} text={noSuchText} action={back} />
    </Page>
  );
};
