import type * as z from 'zod';
import { type job, type queueOverview, queuesHttp } from '#contracts/queues.ts';
import { useWords } from '../../language/use-words.ts';
import { queuesWords } from '../../stack-health/queues.words.ts';
import { useRead } from '../../wire/queries.ts';

export type Queue = z.infer<typeof queueOverview>;
export type Job = z.infer<typeof job>;

/** Whose jobs are deliveries, by the same ids. */
export const deliveryQueue = 'delivery';
export const everyMs = 5000;

export const useQueues = () => useRead(queuesHttp.list, {}, { everyMs });

/** What a queue is called; one of another version is called as it calls itself. */
export const useQueueName = (): ((name: string) => string) => {
  const names: Readonly<Record<string, string>> = useWords(queuesWords).names;
  return (name) => names[name] ?? name;
};

/** The API refuses what was refunded. */
export const mayRetry = (job: Pick<Job, 'state' | 'isRefunded'>): boolean =>
  mayChange(job) && !job.isRefunded;

/** Jobs that wait or have failed; what runs or has ended is left alone. */
export const mayChange = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'created' || state === 'retry' || state === 'failed';
