import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useRoute } from 'wouter';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { LoadingDetail } from '../../kit/design/loading-shapes.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { QueueJobs } from './queue-jobs.tsx';
import classes from './queues.module.css';
import { queuesPageWords } from './queues.words.ts';
import { deliveryQueue, type Queue, useQueueName, useQueues } from './use-queues.ts';

const QueueState = ({
  pausedAt,
  isFull = false,
}: Pick<Queue, 'pausedAt'> & {
  /** Adds how long it has been paused. */
  readonly isFull?: boolean;
}) => {
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

const QueuePage = ({ name }: { readonly name: string }) => {
  const words = useWords(queuesPageWords);
  const queues = useQueues();
  return (
    <AsyncContent read={queues} loading={<LoadingDetail />}>
      {({ rows }) => {
        const queue = rows.find((row) => row.name === name);
        if (queue) return <QueueView queue={queue} />;
        return (
          <Frame title={words.title}>
            <EmptyState
              title={words.noSuch}
              text={words.noSuchText}
              action={<PanelLink to="/queues">{words.back}</PanelLink>}
            />
          </Frame>
        );
      }}
    </AsyncContent>
  );
};

const QueueView = ({ queue }: { readonly queue: Queue }) => {
  const words = useWords(queuesPageWords);
  const format = useFormat();
  const can = useCan();
  const nameOf = useQueueName();
  const { name, counts, failuresTotal, oldestAt, perMinute, pausedAt } = queue;
  return (
    <Frame
      title={nameOf(name)}
      description={<PanelLink to="/queues">{words.title}</PanelLink>}
      actions={can('queues.write') && <PauseButton name={name} isPaused={pausedAt !== null} />}
    >
      <Card title={words.numbers}>
        <Facts
          facts={[
            { label: words.state, value: <QueueState pausedAt={pausedAt} isFull /> },
            { label: words.waiting, value: format.number(counts.created + counts.retry) },
            { label: words.running, value: format.number(counts.active) },
            { label: words.failed, value: format.number(counts.failed) },
            { label: words.failures, value: format.number(failuresTotal) },
            { label: words.oldest, value: oldestAt === null ? words.noneOpen : <TimeAgo at={oldestAt} /> },
            { label: words.perMinute, value: format.number(perMinute) },
          ]}
        />
      </Card>
      <QueueJobs queue={name} />
    </Frame>
  );
};

const PauseButton = ({ name, isPaused }: { readonly name: string; readonly isPaused: boolean }) => {
  const words = useWords(queuesPageWords);
  const nameOf = useQueueName();
  const [isAsking, setIsAsking] = useState(false);
  const pause = useChange(queuesHttp.pause, [queuesHttp.list]);
  if (isPaused)
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={pause.isPending}
        onClick={() =>
          pause.mutate(
            { params: { name }, body: { paused: false } },
            { onSuccess: () => notifyDone(words.hasResumed(nameOf(name))), onError: notifyTrouble },
          )
        }
      >
        {words.resume}
      </Button>
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        {words.pause}
      </Button>
      {isAsking && (
        <ConfirmAction
          title={words.pauseTitle(nameOf(name))}
          act={words.pause}
          isDestructive={false}
          onAction={() => pause.mutateAsync({ params: { name }, body: { paused: true } })}
          doneText={words.hasPaused(nameOf(name))}
          onClose={() => setIsAsking(false)}
        >
          {words.pauseText} {name === deliveryQueue && words.pauseDeliveries}
          {name === 'delivery-wakes' && words.pauseWakes}
        </ConfirmAction>
      )}
    </>
  );
};

const rowId = ({ name }: Queue) => name;
const addressOf = ({ name }: Queue) => `/queues/${encodeURIComponent(name)}`;
const waitingIn = ({ counts }: Queue) => counts.created + counts.retry;

const QueuesList = () => {
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
      timeColumn({
        id: 'oldest',
        header: words.oldest,
        at: ({ oldestAt }) => oldestAt,
        none: '–',
        isSortable: true,
        width: '8.5rem',
        isMinor: true,
      }),
      count('rate', words.perMinuteShort, ({ perMinute }) => perMinute, { isMinor: true }),
    ];
  }, [words, format, nameOf]);
};

export const Page = () => {
  const [isOne, params] = useRoute<{ name: string }>('/queues/:name');
  return isOne ? <QueuePage key={params.name} name={params.name} /> : <QueuesList />;
};
