import {
  Alert,
  Button,
  Checkbox,
  Group,
  List,
  ScrollArea,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { type SeasonPreview, seasonsHttp } from '#contracts/store/seasons.ts';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { ApiProblem, isConflict } from '../../kit/api/api-problem.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { problemWords } from '../../kit/language/problem-words.ts';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { newSeason, planOf, type SeasonFields } from './season-fields.ts';
import { AboutCard, AnnouncementCard, BalancesCard, LimitsCard, WipedCard } from './season-form.tsx';
import { seasonsWords } from './seasons.words.ts';

const tallest = '16rem';

/** Which products members get back after a wipe; a change is saved with the products. */
const RestoredCard = ({
  products,
  onChanged,
}: {
  readonly products: SeasonPreview['products'];
  readonly onChanged: () => Promise<unknown>;
}) => {
  const words = useWords(seasonsWords);
  const mayChange = useCan()('store.write');
  const change = useChange(storeHttp.onWipe, [storeHttp.products, storeHttp.read]);
  /** What was just asked for, until a new preview says whether it is so. */
  const [asked, setAsked] = useState<{ ids: readonly string[]; onWipe: Product['onWipe'] } | null>(null);
  const set = (ids: readonly string[], onWipe: Product['onWipe']) => {
    setAsked({ ids, onWipe });
    change.mutate(
      { body: { ids: [...ids], onWipe } },
      { onSettled: () => void onChanged().finally(() => setAsked(null)) },
    );
  };
  const left = products.filter(({ isRestored }) => !isRestored).map(({ productId }) => productId);
  const isFixed = !mayChange || asked !== null;
  return (
    <Card title={words.restored}>
      <Text size="sm" c="dimmed">
        {products.length === 0 ? words.noProducts : words.restoredHelp}
      </Text>
      {products.length > 0 && (
        <>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {words.restoredCount(products.length - left.length, products.length)}
            </Text>
            {mayChange && (
              <Button
                variant="default"
                size="xs"
                loading={asked !== null}
                disabled={left.length === 0}
                onClick={() => set(left, 'regrant')}
              >
                {words.restoreAll}
              </Button>
            )}
          </Group>
          <ScrollArea.Autosize mah={tallest} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack gap="xs" component="fieldset" aria-label={words.restored} bd={0} p={0} m={0}>
              {products.map(({ productId, name, isRestored }) => (
                <Checkbox
                  key={productId}
                  checked={asked?.ids.includes(productId) ? asked.onWipe === 'regrant' : isRestored}
                  disabled={isFixed}
                  onChange={({ currentTarget }) =>
                    set([productId], currentTarget.checked ? 'regrant' : 'nothing')
                  }
                  label={<bdi>{name}</bdi>}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {!mayChange && (
            <Text size="sm" c="dimmed">
              {words.restoredReadOnly}
            </Text>
          )}
          {change.error && <Trouble error={change.error} />}
        </>
      )}
    </Card>
  );
};

/** What a season would do, in words and numbers. */
const SeasonEffects = ({ preview }: { readonly preview: SeasonPreview }) => {
  const words = useWords(seasonsWords);
  const format = useFormat();
  const { regrants, balances, limits, open, servers } = preview;
  const reset = limits.filter(({ isReset }) => isReset);
  return (
    <Stack gap="sm">
      <Text size="sm">
        {words.scope}: <bdi>{format.list(servers.map(({ name }) => name))}</bdi>
      </Text>
      {regrants.length === 0 ? (
        <Text size="sm">{words.nothingAgain}</Text>
      ) : (
        <Table.ScrollContainer minWidth={320} scrollAreaProps={{ tabIndex: 0 }}>
          <Table aria-label={words.pieces}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.product}</Table.Th>
                <Table.Th ta="end">{words.pieces}</Table.Th>
                <Table.Th ta="end">{words.members}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {regrants.map(({ productId, name, most, members, pieces, hindrance, reason }) => (
                <Table.Tr key={productId}>
                  <Table.Td>
                    <bdi>{name}</bdi>
                    {most !== null && (
                      <Text size="xs" c="dimmed">
                        {words.atMost(most)}
                      </Text>
                    )}
                    {hindrance !== null && (
                      <>
                        <Text size="sm" component="div">
                          <StateLabel tone="warn">{words.cannot}</StateLabel>
                        </Text>
                        <Text size="xs">
                          <Said reason={reason} detail={hindrance} />
                        </Text>
                      </>
                    )}
                  </Table.Td>
                  <Table.Td ta="end">{hindrance === null ? format.number(pieces) : '–'}</Table.Td>
                  <Table.Td ta="end">{hindrance === null ? format.number(members) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <List size="sm" spacing="xs">
        <List.Item>
          {balances.members === 0
            ? words.balancesStay
            : words.balancesTaken(balances.taken, balances.members)}
        </List.Item>
        <List.Item>{reset.length === 0 ? words.limitsStay : words.limitsReset(reset.length)}</List.Item>
        <List.Item>
          {open.deliveries === 0 ? words.nothingOpen : words.open(open.deliveries, open.members)}
        </List.Item>
      </List>
    </Stack>
  );
};

/** The numbers of a preview become outdated: it is read again this often. */
const everyMs = 5000;
const typingMs = 300;

export const NewSeasonPage = () => {
  const words = useWords(seasonsWords);
  const can = useCan();
  const servers = useLiveServers();
  const game = servers.data?.rows[0]?.game;
  return (
    <Frame title={words.create} description={<PanelLink to="/seasons">{words.all}</PanelLink>}>
      {!can('seasons.write') && words.readOnly}
      {can('seasons.write') && servers.isPending && <Loading rows={6} />}
      {can('seasons.write') && !servers.isPending && <NewSeason begun={newSeason(game ?? 'minecraft')} />}
    </Frame>
  );
};

/** Whether the API refuses the time of the wipe, which only its own clock can judge. */
const refusesWipe = (error: unknown): boolean =>
  error instanceof ApiProblem && error.document.errors?.some(({ path }) => path === 'body.wipedAt') === true;

const NewSeason = ({ begun }: { readonly begun: SeasonFields }) => {
  const words = useWords(seasonsWords);
  const language = useLanguage();
  const [fields, setFields] = useState(begun);
  const [typed, setTyped] = useState('');
  /** Whether the preview has changed since the last failed attempt to start the season; null: not known. */
  const [hasChanged, setHasChanged] = useState<boolean | null>(null);
  const onChange = (changes: Partial<SeasonFields>) => {
    setFields((now) => ({ ...now, ...changes }));
    setHasChanged(null);
  };
  const plan = planOf(fields);
  const [asked] = useDebouncedValue(JSON.stringify(plan), typingMs);
  const isCurrent = plan !== null && asked === JSON.stringify(plan);
  const read = useRead(
    seasonsHttp.preview,
    { body: plan ?? { game: fields.game } },
    { enabled: isCurrent, everyMs },
  );
  const preview = isCurrent ? read.data : undefined;
  // While a change of the form is previewed, what was offered before stays.
  const [offered, setOffered] = useState(preview);
  if (preview && preview !== offered) setOffered(preview);
  const begin = useChange(seasonsHttp.begin, [seasonsHttp.list]);
  const name = fields.name.trim();
  const isConfirmed = name !== '' && typed.trim() === name;
  const wipeFault = refusesWipe(read.error) ? problemWords(read.error, language).text : undefined;
  const submit = () => {
    if (!plan || !preview || !isConfirmed || begin.isPending) return;
    setHasChanged(null);
    begin.mutate(
      { body: { ...plan, name, announcement: fields.announcement, digest: preview.digest } },
      {
        onSuccess(season) {
          notifyDone(words.begun(season.name));
          goTo(`/seasons/${season.id}`, { replace: true });
        },
        onError(error) {
          if (!isConflict(error)) return;
          void read.refetch().then(({ data: newest }) => setHasChanged(newest?.digest !== preview.digest));
        },
      },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <AboutCard fields={fields} onChange={onChange} wipeFault={wipeFault} />
        <WipedCard fields={fields} onChange={onChange} />
        <BalancesCard fields={fields} onChange={onChange} />
        <RestoredCard products={offered?.products ?? []} onChanged={() => read.refetch()} />
        <LimitsCard fields={fields} onChange={onChange} offered={offered?.limits ?? []} />
        <AnnouncementCard fields={fields} onChange={onChange} />
        <Card title={words.preview}>
          {hasChanged && (
            <Alert
              color="var(--tone-warn)"
              variant="outline"
              icon={<IconAlertTriangle aria-hidden />}
              role="alert"
            >
              {words.previewStale}
            </Alert>
          )}
          {read.error && wipeFault === undefined && (
            <Trouble error={read.error} onRetry={() => read.refetch()} />
          )}
          {!preview && !read.error && <Loading rows={4} />}
          {preview && <SeasonEffects preview={preview} />}
          {begin.error && (hasChanged === false || !isConflict(begin.error)) && (
            <Trouble error={begin.error} />
          )}
          <Group align="flex-end" justify="space-between">
            <TextInput
              label={name === '' ? words.confirmFirst : words.confirm(name)}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              disabled={name === ''}
              autoComplete="off"
              flex="1 1 16rem"
            />
            <Button type="submit" loading={begin.isPending} disabled={!preview || !isConfirmed}>
              {words.begin}
            </Button>
          </Group>
        </Card>
      </Stack>
    </form>
  );
};
