import {
  type InfiniteData,
  notifyManager,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { isConflict, isPassing } from './api-problem.ts';
import { callOnce } from './call.ts';
import { retryPauseMs } from './retry-pause.ts';
import { NotSaved, sendChange } from './send-change.ts';
import { useWaitsFor } from './waits-for.ts';

// By default, components learn one timer later that a call is in progress: the second of two clicks came first, and sent it twice.
notifyManager.setScheduler(queueMicrotask);

const retry = { firstMs: 500, mostMs: 10_000 };

/** Reads wait for an API that is away and continue by themselves; a change is never repeated automatically. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5000,
      retry: (_count, error) => isPassing(error),
      retryDelay: (count) => retryPauseMs(retry, count + 1),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** The key of everything that was read from an endpoint, or from it with one input. */
export const readKey = (endpoint: Endpoint, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.path] : [endpoint.path, input];

/** How often pages read what no live message announces: `live` what others change while it is looked at, `rarely` sums and limits. */
export const pollMs = { live: 3000, often: 5000, usual: 10_000, seldom: 30_000, rarely: 60_000 } as const;

export interface ReadOptions {
  readonly enabled?: boolean;
  /** Reads again at this interval while the page is visible. */
  readonly everyMs?: number;
}

/** Reads from an endpoint that changes nothing, and again whenever it is invalidated. */
export const useRead = <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { enabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<EndpointResponse<E>> => {
  const result = useQuery({
    queryKey: readKey(endpoint, input),
    queryFn: ({ signal }) => callOnce(endpoint, input, { signal }),
    enabled,
  });
  useWaitsFor(result.isLoading);
  useAgain(() => void result.refetch({ cancelRefetch: false }), enabled ? everyMs : undefined);
  return result;
};

/** The query's own interval restarts with each live message that changes its data, and so might never end. */
const useAgain = (read: () => void, everyMs: number | undefined): void => {
  const newest = useRef(read);
  useEffect(() => {
    newest.current = read;
  });
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') newest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};

interface Paged {
  readonly rows: readonly unknown[];
  readonly nextCursor: string | null;
}
type RowOf<E extends Endpoint> =
  EndpointResponse<E> extends { readonly rows: readonly (infer Row)[] } ? Row : never;

export interface PagedRead<Row> {
  readonly rows: readonly Row[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  reload(): void;
}

/** Reads a list page by page, the newest first; `input` has no cursor. */
export const usePagedRead = <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { enabled = true, everyMs }: ReadOptions = {},
): PagedRead<RowOf<E>> => {
  const result = useInfiniteQuery<Paged, Error, InfiniteData<Paged>, readonly unknown[], string | undefined>({
    queryKey: readKey(endpoint, { paged: input }),
    queryFn: async ({ signal, pageParam }) => {
      const { query } = input as { query?: Record<string, unknown> };
      const page = { ...input, query: { ...query, ...(pageParam && { cursor: pageParam }) } };
      return (await callOnce(endpoint, page as unknown as CallInput<E>, { signal })) as unknown as Paged;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled,
  });
  useWaitsFor(result.isLoading);
  useAgain(() => void result.refetch({ cancelRefetch: false }), enabled ? everyMs : undefined);
  const rows = useMemo(
    () => (result.data?.pages.flatMap((page) => page.rows) ?? []) as readonly RowOf<E>[],
    [result.data],
  );
  /** A read in progress is not cancelled for the next page: otherwise the shown rows would stay outdated. */
  const loadMore = async () => {
    if (result.isFetching && !result.isFetchingNextPage) await result.refetch({ cancelRefetch: false });
    await result.fetchNextPage({ cancelRefetch: false });
  };
  return {
    rows,
    isPending: result.isPending,
    error: result.error,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void loadMore(),
    reload: () => void result.refetch(),
  };
};

/**
 * Changes something; data from the endpoints in `stale` is read again once the API has accepted the change, or has
 * refused it because someone else was first. Its `mutate` takes the call's input.
 */
export const useChange = <const E extends Endpoint>(
  endpoint: E,
  stale: readonly Endpoint[],
): UseMutationResult<EndpointResponse<E>, Error, CallInput<E>> => {
  const client = useQueryClient();
  const readAgain = () => {
    for (const read of stale) void client.invalidateQueries({ queryKey: readKey(read) });
  };
  return useMutation({
    mutationFn: (input: CallInput<E>) => sendChange(endpoint, input),
    onSuccess: readAgain,
    onError: (error) => {
      if (isConflict(error) || error instanceof NotSaved) readAgain();
    },
  });
};
