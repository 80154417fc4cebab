import { MultiSelect, SimpleGrid, Text } from '@mantine/core';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import type { FieldsProps } from './product-draft.ts';
import { storeWords } from './store.words.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Chosen servers stay visible even if they are no longer offered. */
const optionsOf = (offered: readonly Named[], chosen: readonly string[]) => [
  ...offered.map(({ id, name }) => ({ value: id, label: name })),
  ...chosen.filter((id) => !offered.some((one) => one.id === id)).map((id) => ({ value: id, label: id })),
];

export const ScopeCard = ({ fields, onChange }: FieldsProps) => {
  const words = useWords(storeWords);
  const enabled = useCan().somewhere('servers.read');
  const clusters = useRead(clustersHttp.list, {}, { enabled }).data?.rows ?? [];
  const servers = (useLiveServers().data?.rows ?? []).filter(({ game }) => game === fields.game);
  const ofGame = clusters.filter(({ id }) => servers.some(({ clusterId }) => clusterId === id));
  const { clusterIds, serverIds } = fields;
  const hasNone = clusterIds.length === 0 && serverIds.length === 0;
  return (
    <Card title={words.where}>
      <Text size="sm" c="dimmed">
        {words.whereHelp}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <MultiSelect
          label={words.clusters}
          data={optionsOf(ofGame, clusterIds)}
          value={[...clusterIds]}
          onChange={(chosen) => onChange({ clusterIds: chosen })}
          {...(hasNone && { placeholder: words.everywhere })}
          searchable
        />
        <MultiSelect
          label={words.servers}
          data={optionsOf(servers, serverIds)}
          value={[...serverIds]}
          onChange={(chosen) => onChange({ serverIds: chosen })}
          {...(hasNone && { placeholder: words.everywhere })}
          searchable
        />
      </SimpleGrid>
    </Card>
  );
};
