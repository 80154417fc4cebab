import { Button, Group, Text } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { jobStates, queuesHttp } from '#contracts/operations/queues.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, usePagedRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { BulkAction, ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { Value } from '../../kit/records/value.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { queuesWords } from '../stack-health/queues.words.ts';
import { queuesPageWords } from './queues.words.ts';
import { deliveryQueue, everyMs, type Job, mayChange, mayRetry } from './use-queues.ts';

const tones = {
  created: 'idle',
  retry: 'busy',
  active: 'busy',
  completed: 'ok',
  cancelled: 'idle',
  failed: 'bad',
} as const satisfies Record<Job['state'], Tone>;

const JobState = ({ state }: Pick<Job, 'state'>) => {
  const { states } = useWords(queuesWords);
  return <StateLabel tone={tones[state]}>{states[state]}</StateLabel>;
};

const stale = [queuesHttp.jobs, queuesHttp.list];

const JobDrawer = (props: { readonly queue: string; readonly job: Job; readonly onClose: () => void }) => {
  const { queue, job, onClose } = props;
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

const rowId = ({ id }: Job) => id;
const shortLength = 8;
const shortId = ({ id }: Pick<Job, 'id'>) => id.slice(0, shortLength);
const knownState = z.enum(jobStates).optional().catch(undefined);

export const QueueJobs = ({ queue }: { readonly queue: string }) => {
  const words = useWords(queuesPageWords);
  const { states } = useWords(queuesWords);
  const can = useCan();
  const { values } = useSearchState();
  const [openId, setOpenId] = useState<string | null>(null);
  const state = knownState.parse(values.state);
  const paged = usePagedRead(
    queuesHttp.jobs,
    { params: { name: queue }, query: { ...(state && { state }) } },
    { everyMs },
  );
  const columns = useColumns();
  const filters = useMemo(
    () => [
      {
        id: 'state',
        label: words.state,
        options: jobStates.map((value) => ({ value, label: states[value] })),
      },
    ],
    [words, states],
  );
  const open = paged.rows.find(({ id }) => id === openId);
  return (
    <Card title={words.jobs}>
      <PagedList
        paged={paged}
        name="jobs"
        label={words.jobs}
        rowId={rowId}
        columns={columns}
        filters={filters}
        onOpen={({ id }) => setOpenId(id)}
        {...(can('queues.write') && { bulk: bulkActs(queue, words) })}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {open && <JobDrawer queue={queue} job={open} onClose={() => setOpenId(null)} />}
    </Card>
  );
};

const bulkActs = (
  name: string,
  words: ReturnType<typeof useWords<(typeof queuesPageWords)['en']>>,
): readonly BulkAction<Job>[] => [
  {
    label: words.retry,
    icon: <IconRefresh size={16} aria-hidden />,
    isFor: mayRetry,
    question: (jobs) => words.retryMany(jobs.length),
    run: ({ id }) => sendChange(queuesHttp.retry, { params: { name, id }, body: {} }),
    nameOf: shortId,
  },
  {
    label: words.cancel,
    icon: <IconBan size={16} aria-hidden />,
    isDestructive: true,
    isFor: mayChange,
    question: (jobs) =>
      name === deliveryQueue ? words.cancelDeliveries(jobs.length) : words.cancelMany(jobs.length),
    run: ({ id }) => sendChange(queuesHttp.cancel, { params: { name, id }, body: {} }),
    nameOf: shortId,
  },
];

const useColumns = (): readonly ListColumn<Job>[] => {
  const words = useWords(queuesPageWords);
  const { states } = useWords(queuesWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'id',
        header: words.job,
        cell: (job) => (
          <Text span ff="monospace" size="sm">
            {shortId(job)}
          </Text>
        ),
        text: ({ id }) => id,
        width: '7rem',
      },
      {
        id: 'state',
        header: words.state,
        cell: ({ state }) => <JobState state={state} />,
        text: ({ state }) => states[state],
        width: 'minmax(8.5rem, 10rem)',
      },
      timeColumn({ id: 'created', header: words.created, at: ({ createdAt }) => createdAt, width: '9rem' }),
      {
        id: 'retries',
        header: words.retries,
        cell: ({ retryCount }) => format.number(retryCount),
        text: ({ retryCount }) => String(retryCount),
        width: '7rem',
        align: 'end',
        isMinor: true,
      },
      {
        id: 'detail',
        header: words.detail,
        cell: ({ detail, reason }) => (detail === null ? '–' : <Said reason={reason} detail={detail} />),
        text: ({ detail }) => detail ?? '',
        width: 'minmax(10rem, 1fr)',
        isMinor: true,
      },
    ],
    [words, states, format],
  );
};
