import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRoute } from 'wouter';
import * as z from 'zod';
import {
  type DeskDecision,
  type DeskRule,
  deliveriesHttp,
  ruleDecisions,
} from '#contracts/store/deliveries.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { useProductNames } from '../store-parts/use-product-names.ts';
import { deskWords } from './desk.words.ts';
import { DeskList } from './desk-list.tsx';

const oneDecision = z.enum(ruleDecisions);

const RuleForm = (props: {
  readonly rules: readonly DeskRule[];
  readonly set: ReturnType<typeof useChange<typeof deliveriesHttp.setRule>>;
  readonly onClose: () => void;
}) => {
  const { rules, set, onClose } = props;
  const { rulesPage: words } = useWords(deskWords);
  const servers = useServerNames();
  const products = useProductNames();
  const [serverId, setServerId] = useState<string | null>(null);
  const [productId, setProductId] = useState<string | null>(null);
  const [decision, setDecision] = useState<DeskDecision>('refund');
  const isReplacing = rules.some((rule) => rule.serverId === serverId && rule.productId === productId);
  return (
    <FormDialog
      title={words.add}
      act={words.set}
      isActing={set.isPending}
      error={set.error}
      onSubmit={() =>
        set.mutate(
          { body: { serverId, productId, decision } },
          {
            onSuccess: () => {
              notifyDone(words.hasSet);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Select
        label={words.server}
        placeholder={words.allServers}
        data={servers.servers.map(({ id, name }) => ({ value: id, label: name }))}
        value={serverId}
        onChange={setServerId}
        clearable
        data-autofocus
      />
      <Select
        label={words.product}
        placeholder={words.allProducts}
        data={products.ids.map((id) => ({ value: id, label: products.nameOf(id) }))}
        value={productId}
        onChange={setProductId}
        clearable
        searchable
      />
      <Radio.Group
        label={words.decision}
        value={decision}
        onChange={(value) => setDecision(oneDecision.catch(decision).parse(value))}
      >
        <Stack gap="xs" pt={4}>
          {ruleDecisions.map((each) => (
            <Radio
              key={each}
              value={each}
              label={words.decisions[each]}
              description={words.decisionTexts[each]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text>
        {isReplacing && words.replaces} {words.setText}
      </Text>
    </FormDialog>
  );
};

const DeskRules = () => {
  const { title: desk, rulesPage: words } = useWords(deskWords);
  const can = useCan();
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<DeskRule | null>(null);
  const rules = useRead(deliveriesHttp.rules, {}, { everyMs: pollMs.seldom });
  const set = useChange(deliveriesHttp.setRule, [deliveriesHttp.rules, deliveriesHttp.desk]);
  const mayChange = can('orders.write');
  const add = mayChange && <AddButton onClick={() => setIsAdding(true)}>{words.add}</AddButton>;
  return (
    <Frame
      title={words.title}
      description={
        <>
          <Text inherit>{words.description}</Text>
          <PanelLink to="/desk">{desk}</PanelLink>
        </>
      }
      actions={add}
    >
      <AsyncContent read={rules}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.empty} text={words.emptyText} example="items" />
          ) : (
            <RulesCard rules={rows} onRemove={mayChange ? setRemoving : null} />
          )
        }
      </AsyncContent>
      {isAdding && <RuleForm rules={rules.data?.rows ?? []} set={set} onClose={() => setIsAdding(false)} />}
      {removing && (
        <ConfirmAction
          title={words.removeTitle}
          act={words.remove}
          onAction={() => {
            const { serverId, productId } = removing;
            return set.mutateAsync({ body: { serverId, productId, decision: null } });
          }}
          doneText={words.removed}
          onClose={() => setRemoving(null)}
        >
          {words.removeText}
        </ConfirmAction>
      )}
    </Frame>
  );
};

const RulesCard = ({
  rules,
  onRemove,
}: {
  readonly rules: readonly DeskRule[];
  /** Null if the reader may not change rules. */
  readonly onRemove: ((rule: DeskRule) => void) | null;
}) => {
  const { rulesPage: words } = useWords(deskWords);
  const servers = useServerNames();
  const products = useProductNames();
  return (
    <Card title={words.list}>
      <Facts
        facts={rules.map((rule) => {
          const { serverId, productId, decision, actorName, createdAt } = rule;
          const server = serverId === null ? words.allServers : servers.nameOf(serverId);
          const product = productId === null ? words.allProducts : products.nameOf(productId);
          return {
            label: <bdi>{words.scope(server, product)}</bdi>,
            value: (
              <Group justify="space-between" gap="xs">
                <div>
                  <Text fw={600}>{words.decisions[decision]}</Text>
                  <Text size="sm" c="dimmed">
                    {actorName !== null && <bdi>{actorName}</bdi>} <TimeAgo at={createdAt} />
                  </Text>
                </div>
                {onRemove && (
                  <Button size="compact-sm" variant="default" onClick={() => onRemove(rule)}>
                    {words.remove}
                  </Button>
                )}
              </Group>
            ),
          };
        })}
      />
    </Card>
  );
};

export const Page = () => {
  const [isRules] = useRoute('/desk/rules');
  return isRules ? <DeskRules /> : <DeskList />;
};
