import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type CodeBatch, rewardsHttp } from '#contracts/store/rewards.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, usePagedRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { usePoints } from '../use-points.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { NewCodesDialog } from './new-codes-dialog.tsx';
import { rewardsWords } from './rewards.words.ts';
import { useScopeText } from './scope-fields.tsx';

const pageSize = 25;
const everyMs = 10_000;

export const CodesCard = () => {
  const words = useWords(rewardsWords).codes;
  const mayChange = useCan()('rewards.write');
  const batches = usePagedRead(rewardsHttp.batches, { query: { limit: pageSize } }, { everyMs });
  const [isMaking, setIsMaking] = useState(false);
  const [shown, setShown] = useState<CodeBatch | null>(null);
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = batches;
  return (
    <Card title={words.title}>
      {error && <Trouble error={error} onRetry={reload} />}
      {isPending && !error && <Loading />}
      <Stack gap="md">
        {!isPending && !error && rows.length === 0 && <EmptyState text={words.none} example="items" />}
        {rows.map((batch) => (
          <BatchItem key={batch.id} batch={batch} mayChange={mayChange} onShow={() => setShown(batch)} />
        ))}
        <Group gap="xs">
          {mayChange && (
            <Button variant="default" onClick={() => setIsMaking(true)}>
              {words.make}
            </Button>
          )}
          {hasMore && (
            <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
              {words.more}
            </Button>
          )}
        </Group>
      </Stack>
      {isMaking && <NewCodesDialog onClose={() => setIsMaking(false)} />}
      {shown && <CodesDialog batch={shown} mayChange={mayChange} onClose={() => setShown(null)} />}
    </Card>
  );
};

const BatchItem = ({
  batch,
  mayChange,
  onShow,
}: {
  readonly batch: CodeBatch;
  readonly mayChange: boolean;
  readonly onShow: () => void;
}) => {
  const words = useWords(rewardsWords).codes;
  const { points } = usePoints();
  const change = useChange(rewardsHttp.switchBatch, [rewardsHttp.batches]);
  const { id, version, isEnabled, mostUses, validFrom, validUntil, games, serverIds } = batch;
  const places = useScopeText(batch);
  const parts = [
    words.counted(batch.codes),
    words.uses(batch.uses),
    words.gives(points(batch.points)),
    words.limits(mostUses === null ? words.anyUses : words.uses(mostUses), batch.mostPerMember),
    ...(games.length + serverIds.length > 0 ? [words.forThose(places)] : []),
  ];
  return (
    <section aria-label={batch.name}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          <bdi>{batch.name}</bdi>
        </Text>
        <StateLabel tone={isEnabled ? 'ok' : 'idle'}>{isEnabled ? words.on : words.off}</StateLabel>
      </Group>
      <Text size="sm">{parts.join(' · ')}</Text>
      {(validFrom !== null || validUntil !== null) && (
        <Text size="sm" c="dimmed">
          {validFrom !== null && (
            <>
              {words.from} <Moment at={validFrom} isShort />{' '}
            </>
          )}
          {validUntil !== null && (
            <>
              {words.until} <Moment at={validUntil} isShort />
            </>
          )}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={onShow}>
          {words.show}
        </Button>
        {mayChange && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ params: { id }, body: { version, isEnabled: !isEnabled } })}
          >
            {isEnabled ? words.switchOff : words.switchOn}
          </Button>
        )}
      </Group>
      {change.error && <Trouble error={change.error} />}
    </section>
  );
};
