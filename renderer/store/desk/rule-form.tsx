import { Radio, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod';
import {
  type DeskDecision,
  type DeskRule,
  type deliveriesHttp,
  ruleDecisions,
} from '#contracts/store/deliveries.ts';
import type { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { useProductNames } from '../store-parts/use-product-names.ts';
import { deskWords } from './desk.words.ts';

interface RuleFormProps {
  readonly rules: readonly DeskRule[];
  readonly set: ReturnType<typeof useChange<typeof deliveriesHttp.setRule>>;
  readonly onClose: () => void;
}

const oneDecision = z.enum(ruleDecisions);

export const RuleForm = ({ rules, set, onClose }: RuleFormProps) => {
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
