import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { Trouble } from './trouble.tsx';

export interface Readable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

export interface AsyncContentProps<Data> {
  readonly read: Readable<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What was read, once it is there; what is known already stays on the screen while reading it anew fails. */
export const AsyncContent = <Data,>({ read, children }: AsyncContentProps<Data>) => {
  if (read.data !== undefined) return children(read.data);
  return read.error ? <Trouble error={read.error} onRetry={() => read.refetch()} /> : <Loading />;
};
