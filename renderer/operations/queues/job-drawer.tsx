import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { Value } from '../../kit/records/value.tsx';
import { JobState } from './job-state.tsx';
import { queuesPageWords } from './queues.words.ts';
import { deliveryQueue, type Job, mayChange, mayRetry } from './use-queues.ts';

interface JobDrawerProps {
  readonly queue: string;
  readonly job: Job;
  readonly onClose: () => void;
}

const stale = [queuesHttp.jobs, queuesHttp.list];

export const JobDrawer = ({ queue, job, onClose }: JobDrawerProps) => {
  const words = useWords(queuesPageWords);
  const format = useFormat();
  const can = useCan();
  const [isAsking, setIsAsking] = useState(false);
  const retry = useChange(queuesHttp.retry, stale);
  const cancel = useChange(queuesHttp.cancel, stale);
  const { id, createdAt, startedAt, completedAt, retryCount } = job;
  const of = { params: { name: queue, id }, body: {} };
  const isDelivery = queue === deliveryQueue;
  const moment = (at: string | null) => (at === null ? words.notYet : <TimeAgo at={at} />);
  return (
    <RecordDrawer title={words.job} onClose={onClose}>
      <Facts
        facts={[
          { label: words.state, value: <JobState state={job.state} /> },
          { label: words.created, value: moment(createdAt) },
          { label: words.started, value: moment(startedAt) },
          { label: words.ended, value: moment(completedAt) },
          { label: words.retries, value: format.number(retryCount) },
          { label: words.detail, value: <JobDetail job={job} /> },
        ]}
      />
      <Group gap={4} wrap="nowrap">
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
        <CopyButton value={id} label={words.job} />
      </Group>
      {isDelivery && can.somewhere('orders.read') && (
        <PanelLink to={`/deliveries/${id}`}>{words.openDelivery}</PanelLink>
      )}
      {retry.error && <Trouble error={retry.error} />}
      {can('queues.write') && mayChange(job) && (
        <Group gap="xs">
          {mayRetry(job) && (
            <Button
              loading={retry.isPending}
              onClick={() => retry.mutate(of, { onSuccess: () => notifyDone(words.hasRetried) })}
            >
              {words.retry}
            </Button>
          )}
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {words.cancelJob}
          </Button>
        </Group>
      )}
      {isAsking && (
        <ConfirmAction
          title={words.cancelJob}
          act={words.cancelJob}
          onAction={() => cancel.mutateAsync(of)}
          doneText={words.hasCancelled}
          onClose={() => setIsAsking(false)}
        >
          {isDelivery ? words.cancelDeliveries(1) : words.cancelMany(1)}
        </ConfirmAction>
      )}
    </RecordDrawer>
  );
};

const JobDetail = ({ job: { detail, reason } }: { readonly job: Job }) => {
  const words = useWords(queuesPageWords);
  if (detail === null) return words.noDetail;
  return reason === null ? <Value value={detail} /> : <Said reason={reason} detail={detail} />;
};
