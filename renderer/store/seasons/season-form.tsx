import { Checkbox, MultiSelect, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameIds, games } from '#contracts/servers/games.ts';
import type { SeasonPreview } from '#contracts/store/seasons.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { balanceKinds, type SeasonFieldsProps, whoseKinds } from './season-fields.ts';
import { seasonsWords } from './seasons.words.ts';

const inputFirst: ['label', 'input', 'description', 'error'] = ['label', 'input', 'description', 'error'];
const numberOf = (typed: string | number): number | '' => (typeof typed === 'number' ? typed : '');

export const AboutCard = ({
  fields,
  onChange,
  wipeFault,
}: SeasonFieldsProps & { readonly wipeFault: string | undefined }) => {
  const words = useWords(seasonsWords);
  return (
    <Card title={words.about}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={words.name}
          description={words.nameHelp}
          inputWrapperOrder={inputFirst}
          required
          maxLength={80}
          value={fields.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <TimeField
          label={words.wipedAt}
          help={words.wipedAtHelp}
          value={fields.wipedAt}
          error={wipeFault}
          onChange={(typed) => onChange({ wipedAt: typed })}
        />
      </SimpleGrid>
    </Card>
  );
};

export const WipedCard = ({ fields, onChange }: SeasonFieldsProps) => {
  const words = useWords(seasonsWords);
  const clusters = useRead(clustersHttp.list, {}).data?.rows ?? [];
  const all = useLiveServers().data?.rows ?? [];
  const servers = all.filter(({ game }) => game === fields.game);
  const ofGame = clusters.filter(({ id }) => servers.some(({ clusterId }) => clusterId === id));
  const { clusterIds, serverIds } = fields;
  const hasNone = clusterIds.length === 0 && serverIds.length === 0;
  return (
    <Card title={words.where}>
      <NativeSelect
        label={words.game}
        value={fields.game}
        onChange={({ currentTarget }) =>
          onChange({
            game: gameIds.find((id) => id === currentTarget.value) ?? fields.game,
            clusterIds: [],
            serverIds: [],
            limitProductIds: [],
          })
        }
        data={gameIds.map((value) => ({ value, label: games[value].name }))}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <MultiSelect
          label={words.clusters}
          data={ofGame.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...clusterIds]}
          onChange={(chosen) => onChange({ clusterIds: chosen })}
          {...(hasNone && { placeholder: words.everywhere })}
          searchable
        />
        <MultiSelect
          label={words.servers}
          data={servers.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...serverIds]}
          onChange={(chosen) => onChange({ serverIds: chosen })}
          {...(hasNone && { placeholder: words.everywhere })}
          searchable
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {words.whereHelp}
      </Text>
    </Card>
  );
};

export const BalancesCard = ({ fields, onChange }: SeasonFieldsProps) => {
  const words = useWords(seasonsWords);
  const { balances } = fields;
  return (
    <Card title={words.balances}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label={words.balancesAct}
          value={balances}
          onChange={({ currentTarget }) =>
            onChange({ balances: balanceKinds.find((kind) => kind === currentTarget.value) ?? balances })
          }
          data={balanceKinds.map((value) => ({ value, label: words.balanceKinds[value] }))}
        />
        {balances !== 'none' && (
          <NativeSelect
            label={words.whose}
            value={fields.whose}
            onChange={({ currentTarget }) =>
              onChange({ whose: whoseKinds.find((kind) => kind === currentTarget.value) ?? fields.whose })
            }
            data={whoseKinds.map((value) => ({ value, label: words.whoseKinds[value] }))}
          />
        )}
        {balances === 'cap' && (
          <NumberInput
            label={words.most}
            value={fields.most}
            onChange={(typed) => onChange({ most: numberOf(typed) })}
            min={0}
            max={mostPoints}
            allowDecimal={false}
            allowNegative={false}
          />
        )}
        {balances === 'keep' && (
          <NumberInput
            label={words.percent}
            value={fields.percent}
            onChange={(typed) => onChange({ percent: numberOf(typed) })}
            min={1}
            max={99}
            allowDecimal={false}
            allowNegative={false}
          />
        )}
      </SimpleGrid>
    </Card>
  );
};

export const LimitsCard = ({
  fields,
  onChange,
  offered,
}: SeasonFieldsProps & { readonly offered: SeasonPreview['limits'] }) => {
  const words = useWords(seasonsWords);
  return (
    <Card title={words.limits}>
      <Text size="sm" c="dimmed">
        {offered.length === 0 ? words.noLimits : words.limitsHelp}
      </Text>
      {offered.length > 0 && (
        <Checkbox.Group
          aria-label={words.limits}
          value={[...fields.limitProductIds]}
          onChange={(chosen) => onChange({ limitProductIds: chosen })}
        >
          <Stack gap="xs">
            {offered.map(({ productId, name }) => (
              <Checkbox key={productId} value={productId} label={<bdi>{name}</bdi>} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Card>
  );
};

export const AnnouncementCard = ({ fields, onChange }: SeasonFieldsProps) => {
  const words = useWords(seasonsWords);
  const { announcement } = fields;
  const lines = [
    ['en', words.inEnglish],
    ['pt-BR', words.inPortuguese],
  ] as const;
  return (
    <Card title={words.announcement}>
      <Text size="sm" c="dimmed">
        {words.announcementHelp}
      </Text>
      {lines.map(([language, label]) => (
        <TextInput
          key={language}
          label={label}
          lang={language}
          maxLength={200}
          value={announcement[language]}
          onChange={({ currentTarget }) =>
            onChange({ announcement: { ...announcement, [language]: currentTarget.value } })
          }
        />
      ))}
    </Card>
  );
};
