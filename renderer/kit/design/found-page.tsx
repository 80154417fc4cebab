import type { ReactNode } from 'react';
import type * as z from 'zod';
import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { useRead } from '../api/queries.ts';
import { AsyncContent } from './async-content.tsx';
import { EmptyState } from './empty-state.tsx';
import { LoadingDetail } from './loading-shapes.tsx';
import { Page } from './page.tsx';
import { PanelLink } from './panel-link.tsx';
import { Together } from './together.tsx';

type ReadsById = Endpoint & { readonly params: z.ZodType<{ readonly id: string }> };

/** The page of one entity by its id, or a link back to the list if no entity has this id. */
export const FoundPage = <const E extends ReadsById>(props: {
  readonly endpoint: E;
  readonly id: string;
  /** The refresh interval, in milliseconds. */
  readonly everyMs: number;
  /** For an id that belongs to nothing. */
  readonly words: { readonly title: string; readonly noSuch: string; readonly noSuchText: string };
  readonly back: { readonly to: string; readonly label: string };
  readonly children: (data: EndpointResponse<E>) => ReactNode;
}) => {
  const { endpoint, id, everyMs, words, back, children } = props;
  const isPossible = endpoint.params.safeParse({ id }).success;
  const read = useRead(endpoint, { params: { id } } as unknown as CallInput<E>, {
    enabled: isPossible,
    everyMs,
  });
  const isUnknown = read.error instanceof ApiProblem && read.error.code === 'NOT_FOUND';
  if (isPossible && !isUnknown)
    return (
      <AsyncContent read={read} loading={<LoadingDetail />}>
        {(data) => <Together loading={<LoadingDetail />}>{children(data)}</Together>}
      </AsyncContent>
    );
  return (
    <Page title={words.title}>
      <EmptyState
        title={words.noSuch}
        text={words.noSuchText}
        action={<PanelLink to={back.to}>{back.label}</PanelLink>}
      />
    </Page>
  );
};
