import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { queuesPageWords } from './queues.words.ts';
import type { Queue } from './use-queues.ts';

interface QueueStateProps extends Pick<Queue, 'pausedAt'> {
  /** Adds how long it has been paused. */
  readonly isFull?: boolean;
}

export const QueueState = ({ pausedAt, isFull = false }: QueueStateProps) => {
  const words = useWords(queuesPageWords);
  if (pausedAt === null) return <StateLabel tone="ok">{words.works}</StateLabel>;
  return (
    <StateLabel tone="warn">
      {words.paused}
      {isFull && (
        <>
          {' '}
          (<TimeAgo at={pausedAt} />)
        </>
      )}
    </StateLabel>
  );
};
