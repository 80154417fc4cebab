import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type RewardRule, rewardsHttp } from '#contracts/store/rewards.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { CodesCard } from './codes-card.tsx';
import { rewardsWords } from './rewards.words.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { RuleText } from './rule-text.tsx';

const everyMs = 10_000;

const RulesCard = ({ isAdding, onAdded }: { readonly isAdding: boolean; readonly onAdded: () => void }) => {
  const words = useWords(rewardsWords).rules;
  const mayChange = useCan()('rewards.write');
  const read = useRead(rewardsHttp.rules, {}, { everyMs });
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

const RuleItem = ({
  rule,
  mayChange,
  onEdit,
}: {
  readonly rule: RewardRule;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
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
