import { useMemo } from 'react';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { QueueState } from './queue-state.tsx';
import classes from './queues.module.css';
import { queuesPageWords } from './queues.words.ts';
import { type Queue, useQueueName, useQueues } from './use-queues.ts';

const rowId = ({ name }: Queue) => name;
const addressOf = ({ name }: Queue) => `/queues/${encodeURIComponent(name)}`;
const waitingIn = ({ counts }: Queue) => counts.created + counts.retry;

export const QueuesList = () => {
  const words = useWords(queuesPageWords);
  const queues = useQueues();
  const columns = useColumns();
  return (
    <Frame title={words.title} description={words.description}>
      <AsyncContent read={queues} loading={<Loading shape="list" />}>
        {({ rows }) => (
          <DataList
            name="queues"
            label={words.title}
            rows={rows}
            rowId={rowId}
            columns={columns}
            rowTo={addressOf}
            empty={<EmptyState title={words.none} text={words.noneText} />}
          />
        )}
      </AsyncContent>
    </Frame>
  );
};

const useColumns = (): readonly ListColumn<Queue>[] => {
  const words = useWords(queuesPageWords);
  const format = useFormat();
  const nameOf = useQueueName();
  return useMemo(() => {
    const count = (
      id: string,
      header: string,
      of: (queue: Queue) => number,
      more: Pick<ListColumn<Queue>, 'isMinor' | 'width'> = {},
    ): ListColumn<Queue> => ({
      id,
      header,
      cell: (queue) => (
        <span className={classes.count} data-label={header}>
          {format.number(of(queue))}
        </span>
      ),
      sortBy: of,
      text: (queue) => String(of(queue)),
      width: '5.75rem',
      align: 'end',
      ...more,
    });
    const failed = ({ counts }: Queue) => counts.failed;
    return [
      {
        id: 'name',
        header: words.queue,
        cell: ({ name }) => <bdi>{nameOf(name)}</bdi>,
        sortBy: ({ name }) => nameOf(name),
        text: ({ name }) => nameOf(name),
        width: 'minmax(10rem, 1fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: ({ pausedAt }) => <QueueState pausedAt={pausedAt} />,
        text: ({ pausedAt }) => (pausedAt === null ? words.works : words.paused),
        width: 'minmax(7rem, 11rem)',
      },
      count('waiting', words.waiting, waitingIn),
      {
        ...count('failed', words.failed, failed),
        cell: (queue) => {
          const text = format.number(failed(queue));
          return (
            <span className={classes.count} data-label={words.failed}>
              {failed(queue) === 0 ? text : <StateLabel tone="warn">{text}</StateLabel>}
            </span>
          );
        },
      },
      count('failures', words.failures, ({ failuresTotal }) => failuresTotal, {
        isMinor: true,
        width: '8.5rem',
      }),
      {
        id: 'oldest',
        header: words.oldest,
        cell: ({ oldestAt }) => (oldestAt === null ? '–' : <TimeAgo at={oldestAt} />),
        sortBy: ({ oldestAt }) => oldestAt,
        text: ({ oldestAt }) => oldestAt ?? '',
        width: '8.5rem',
        isMinor: true,
      },
      count('rate', words.perMinuteShort, ({ perMinute }) => perMinute, { isMinor: true }),
    ];
  }, [words, format, nameOf]);
};
