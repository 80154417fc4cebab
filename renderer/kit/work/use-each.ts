import { useEffect, useRef, useState } from 'react';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { signedInPerson } from '../access/signed-in-person.ts';
import { queryClient, readKey } from '../api/queries.ts';
import { type EachResult, runEach } from './run-each.ts';

interface Keyed {
  readonly key: string;
}

interface Each<Item extends Keyed, Result> {
  readonly results: ReadonlyMap<string, EachResult<Result> | 'running'> | null;
  readonly isRunning: boolean;
  begin(items: readonly Item[]): Promise<void>;
}

export interface Ended<Item, Result> {
  readonly item: Item;
  readonly result: EachResult<Result>;
}

/** Runs for each item, a few at a time, and keeps every result. It continues when its dialog is closed. */
export const useEach = <Item extends Keyed, Result>(options: {
  readonly run: (item: Item) => Promise<Result>;
  /** The endpoints to read again afterwards. */
  readonly stale?: readonly Endpoint[];
  /** `isGone`: the dialog was closed, and can no longer show the results. */
  readonly onEnd: (ended: readonly Ended<Item, Result>[], isGone: boolean) => void;
}): Each<Item, Result> => {
  const { run, stale = [], onEnd } = options;
  const [results, setResults] = useState<Each<Item, Result>['results']>(null);
  const [isRunning, setIsRunning] = useState(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return {
    results,
    isRunning,
    async begin(items) {
      const ended: Ended<Item, Result>[] = [];
      const person = signedInPerson();
      const isStopped = () => signedInPerson() !== person;
      setIsRunning(true);
      setResults(new Map());
      await runEach<Item, Result>({
        items,
        run,
        isStopped,
        onResult: (item, result) => {
          if (result !== 'running') ended.push({ item, result });
          setResults((now) => new Map(now).set(item.key, result));
        },
      });
      setIsRunning(false);
      // Another person must not see the results.
      if (isStopped()) return;
      for (const endpoint of stale) void queryClient.invalidateQueries({ queryKey: readKey(endpoint) });
      onEnd(ended, isGone.current);
    },
  };
};
