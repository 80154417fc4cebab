import { failureVerdict } from './work-run.ts';

/** The API allows ten commands of one person at a time; a few are left for their other actions. */
const atOnce = 4;

/** The result of an item: the value of its run, why it failed, or that it was never sent. */
export type EachResult<Result> = Result | { readonly error: unknown } | { readonly isSent: false };

const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Runs a few at a time. A failure holds up no other item, the API's limit is waited for, and if no other item would
 * succeed either, the rest is not sent. Until it has ended, the browser asks before it closes the page.
 */
export const runEach = async <Item, Result>(options: {
  readonly items: readonly Item[];
  readonly run: (item: Item) => Promise<Result>;
  readonly onResult: (item: Item, result: EachResult<Result> | 'running') => void;
  /** Whether the rest is given up, as once the person has signed out. */
  readonly isStopped?: () => boolean;
}): Promise<void> => {
  const { items, run, onResult, isStopped = () => false } = options;
  const left = [...items];
  let isHalted = false;
  const perform = async (item: Item): Promise<EachResult<Result>> => {
    while (!isHalted && !isStopped())
      try {
        return await run(item);
      } catch (error) {
        const verdict = failureVerdict(error);
        if (verdict.kind === 'again, wait') {
          await pause(verdict.seconds);
          continue;
        }
        isHalted ||= verdict.kind !== 'failed';
        if (verdict.kind !== 'again, halt') return { error };
      }
    return { isSent: false };
  };
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      onResult(item, 'running');
      onResult(item, await perform(item));
    }
  };
  // One for each run: the same function added twice would be one listener, and the first run to end would remove it.
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  await Promise.all(Array.from({ length: atOnce }, work)).finally(() =>
    removeEventListener('beforeunload', warn),
  );
};
