import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { LoadingDetail } from '../../kit/design/loading-shapes.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { QueueJobs } from './queue-jobs.tsx';
import { QueueState } from './queue-state.tsx';
import { queuesPageWords } from './queues.words.ts';
import { deliveryQueue, type Queue, useQueueName, useQueues } from './use-queues.ts';

export const QueuePage = ({ name }: { readonly name: string }) => {
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
