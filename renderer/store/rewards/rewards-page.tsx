import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type CodeBatch, type RewardRule, rewardsHttp } from '#contracts/store/rewards.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, usePagedRead, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Together } from '../../kit/design/together.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { usePoints } from '../use-points.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { NewCodesDialog } from './new-codes-dialog.tsx';
import { rewardsWords } from './rewards.words.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { RuleText } from './rule-text.tsx';
import { useScopeText } from './scope-fields.tsx';

const pageSize = 25;
const CodesCard = () => {
  const words = useWords(rewardsWords).codes;
  const mayChange = useCan()('rewards.write');
  const batches = usePagedRead(
    rewardsHttp.batches,
    { query: { limit: pageSize } },
    { everyMs: pollMs.usual },
  );
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

const BatchItem = (props: {
  readonly batch: CodeBatch;
  readonly mayChange: boolean;
  readonly onShow: () => void;
}) => {
  const { batch, mayChange, onShow } = props;
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

const RulesCard = ({ isAdding, onAdded }: { readonly isAdding: boolean; readonly onAdded: () => void }) => {
  const words = useWords(rewardsWords).rules;
  const mayChange = useCan()('rewards.write');
  const read = useRead(rewardsHttp.rules, {}, { everyMs: pollMs.usual });
  const [edited, setEdited] = useState<RewardRule | null>(null);
  return (
    <Card title={words.title}>
      <AsyncContent read={read}>
        {({ rules, timeZone }) => (
          <Stack gap="md">
            {rules.length === 0 && <EmptyState text={words.none} example="items" />}
            {rules.map((one) => (
              <RuleItem key={one.id} rule={one} mayChange={mayChange} onEdit={() => setEdited(one)} />
            ))}
            <Text size="sm" c="dimmed">
              {words.zone(timeZone)}
            </Text>
            {(isAdding || edited) && (
              <RuleDialog
                key={edited?.id ?? 'new'}
                begun={edited}
                newest={rules.find(({ id }) => id === edited?.id)}
                readNewest={() => read.refetch()}
                onClose={() => {
                  setEdited(null);
                  onAdded();
                }}
              />
            )}
          </Stack>
        )}
      </AsyncContent>
    </Card>
  );
};

const RuleItem = (props: {
  readonly rule: RewardRule;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
  const { rule, mayChange, onEdit } = props;
  const words = useWords(rewardsWords).rules;
  const archive = useChange(rewardsHttp.archiveRule, [rewardsHttp.rules]);
  const [isArchiving, setIsArchiving] = useState(false);
  return (
    <section aria-label={rule.name}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          <bdi>{rule.name}</bdi>
        </Text>
        <StateLabel tone={rule.isEnabled ? 'ok' : 'idle'}>{rule.isEnabled ? words.on : words.off}</StateLabel>
      </Group>
      <RuleText terms={rule.terms} />
      {mayChange && (
        <Group gap="xs" mt="xs">
          <Button size="xs" variant="default" onClick={onEdit}>
            {words.edit}
          </Button>
          <Button size="xs" variant="default" onClick={() => setIsArchiving(true)}>
            {words.archive}
          </Button>
        </Group>
      )}
      {isArchiving && (
        <ConfirmAction
          title={words.archiveTitle(rule.name)}
          act={words.archive}
          onAction={() => archive.mutateAsync({ params: { id: rule.id }, body: { version: rule.version } })}
          doneText={words.archived}
          onClose={() => setIsArchiving(false)}
        >
          <Text>{words.archiveText}</Text>
        </ConfirmAction>
      )}
    </section>
  );
};

export const Page = () => {
  const words = useWords(rewardsWords);
  const can = useCan();
  const [isAdding, setIsAdding] = useState(false);
  const add = can('rewards.write') && (
    <AddButton onClick={() => setIsAdding(true)}>{words.rules.add}</AddButton>
  );
  return (
    <Frame title={words.title} description={words.description} actions={add}>
      <Together>
        <RulesCard isAdding={isAdding} onAdded={() => setIsAdding(false)} />
        <CodesCard />
        {can('settings.read') && (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {words.gifts}
            </Text>
            <PanelLink to="/settings">{words.toSettings}</PanelLink>
          </Group>
        )}
      </Together>
    </Frame>
  );
};
