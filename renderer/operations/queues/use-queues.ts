import type * as z from 'zod';
import { type job, type queueOverview, queuesHttp } from '#contracts/operations/queues.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { queuesWords } from '../stack-health/queues.words.ts';

export type Queue = z.infer<typeof queueOverview>;
export type Job = z.infer<typeof job>;

/** The queue whose jobs are deliveries, with the same ids. */
export const deliveryQueue = 'delivery';
export const everyMs = 5000;

export const useQueues = () => useRead(queuesHttp.list, {}, { everyMs });

/** The name of a queue; an unknown one keeps its technical name. */
export const useQueueName = (): ((name: string) => string) => {
  const names: Readonly<Record<string, string>> = useWords(queuesWords).names;
  return (name) => names[name] ?? name;
};

/** The API does not retry refunded deliveries. */
export const mayRetry = (job: Pick<Job, 'state' | 'isRefunded'>): boolean =>
  mayChange(job) && !job.isRefunded;

/** Jobs that wait or have failed; running and ended ones stay untouched. */
export const mayChange = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'created' || state === 'retry' || state === 'failed';
