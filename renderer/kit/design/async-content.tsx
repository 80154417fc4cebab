import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { Trouble } from './trouble.tsx';

export interface Readable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** Shows the data once it is there; known data stays on the screen while reading it again fails. */
export const AsyncContent = <Data,>(props: {
  readonly read: Readable<Data>;
  /** The placeholder while loading, in the shape of the content; rows by default. */
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) => {
  const { read, loading, children } = props;
  if (read.data !== undefined) return children(read.data);
  return read.error ? (
    <Trouble error={read.error} onRetry={() => read.refetch()} />
  ) : (
    (loading ?? <Loading />)
  );
};
