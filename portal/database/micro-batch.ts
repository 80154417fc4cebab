import { tooManyWaiting } from './database-fault.ts';

interface Entry<Row, Answer> {
  readonly row: Row;
  readonly settle: PromiseWithResolvers<Answer>;
}

/**
 * Combines rows that arrive in the same turn of the event loop, or while statements are in flight, into one statement.
 * If a statement fails, its rows are tried one by one, so that no row fails because of another.
 * @param execute answers each row, in order
 */
export const createMicroBatch = <Row, Answer>(
  execute: (rows: readonly Row[]) => Promise<readonly Answer[]>,
  {
    maxInFlight,
    maxRows,
    maxWaiting,
    isHopeless,
  }: {
    /** The most statements at the same time. */
    readonly maxInFlight: number;
    /** The most rows per statement. */
    readonly maxRows: number;
    /** The most rows that may wait for a statement; further ones are refused. */
    readonly maxWaiting: number;
    /** Whether it would be pointless to try the rows one by one, or the rows that wait. */
    readonly isHopeless: (error: unknown) => boolean;
  },
): ((row: Row) => Promise<Answer>) => {
  const waiting: Entry<Row, Answer>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const send = async (entries: readonly Entry<Row, Answer>[]): Promise<void> => {
    try {
      const answers = await execute(entries.map(({ row }) => row));
      if (answers.length !== entries.length) throw new Error('a batch lost some of its answers');
      for (const [index, answer] of answers.entries()) entries[index]?.settle.resolve(answer);
    } catch (error) {
      if (isHopeless(error))
        for (const { settle } of [...entries, ...waiting.splice(0)]) settle.reject(error);
      else if (entries.length > 1) for (const entry of entries) await send([entry]);
      else for (const { settle } of entries) settle.reject(error);
    }
  };

  const flush = () => {
    scheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      inFlight += 1;
      void send(waiting.splice(0, maxRows)).then(() => {
        inFlight -= 1;
        schedule();
      });
    }
  };

  const schedule = () => {
    if (scheduled || waiting.length === 0 || inFlight >= maxInFlight) return;
    scheduled = true;
    setImmediate(flush);
  };

  return async (row) => {
    if (waiting.length >= maxWaiting) throw tooManyWaiting();
    const settle = Promise.withResolvers<Answer>();
    waiting.push({ row, settle });
    schedule();
    return settle.promise;
  };
};
