import { Alert, Button, Group, List, Progress, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { games } from '#contracts/servers/games.ts';
import { type Season, type SeasonDetails, type SeasonUndo, seasonsHttp } from '#contracts/store/seasons.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { MemberLink } from '../member-link.tsx';
import { usePoints } from '../use-points.ts';
import { SeasonLabel } from './season-label.tsx';
import { seasonsWords } from './seasons.words.ts';

/** What undoing a season gives back and withdraws, or which members prevent it. */
const UndoDialog = ({ season, onClose }: { readonly season: Season; readonly onClose: () => void }) => {
  const words = useWords(seasonsWords);
  const { points } = usePoints();
  const params = { id: season.id };
  const read = useRead(seasonsHttp.previewUndo, { params });
  const undo = useChange(seasonsHttp.undo, [seasonsHttp.read, seasonsHttp.list, seasonsHttp.previewUndo]);
  const found = read.data;
  const isPossible = found?.isPossible === true;
  return (
    <FormDialog
      title={words.undoTitle(season.name)}
      act={found && !isPossible ? null : words.undo}
      isActing={undo.isPending}
      isDestructive
      isReady={isPossible && !read.isFetching}
      error={undo.error}
      {...(found && !isPossible && { leave: words.close })}
      beginsAtLeave
      onSubmit={() =>
        undo.mutate(
          { params },
          {
            onSuccess: () => {
              notifyDone(words.undoing(season.name));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {read.error && <Trouble error={read.error} onRetry={() => read.refetch()} />}
      {!found && !read.error && <Loading rows={2} />}
      {found && isPossible && (
        <Text>{words.undoText(found.pieces, found.members, points(found.points))}</Text>
      )}
      {found && !isPossible && <Hindrances found={found} />}
    </FormDialog>
  );
};

const Hindrances = ({ found: { obstacle, hindered, hindrances } }: { readonly found: SeasonUndo }) => {
  const words = useWords(seasonsWords);
  const left = hindered - hindrances.length;
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.cannotUndo}
    >
      {obstacle !== null && <Text size="sm">{words.obstacles[obstacle]}</Text>}
      {hindered > 0 && (
        <>
          <Text size="sm">{words.hinderedMembers(hindered)}</Text>
          <List
            size="sm"
            mah={220}
            style={{ overflowY: 'auto' }}
            tabIndex={hindrances.length > 8 ? 0 : undefined}
          >
            {hindrances.map(({ memberId, memberName, why }) => (
              <List.Item key={memberId}>
                <MemberLink id={memberId} name={memberName} /> {words.hindrances[why]}
              </List.Item>
            ))}
            {left > 0 && <List.Item>{words.more(left)}</List.Item>}
          </List>
        </>
      )}
    </Alert>
  );
};

const everyMs = 1500;

export const SeasonPage = ({ id }: { readonly id: string }) => {
  const words = useWords(seasonsWords);
  return (
    <FoundPage
      endpoint={seasonsHttp.read}
      id={id}
      everyMs={everyMs}
      words={words}
      back={{ to: '/seasons', label: words.all }}
    >
      {(season) => <SeasonView season={season} />}
    </FoundPage>
  );
};

const SeasonView = ({ season }: { readonly season: SeasonDetails }) => {
  const words = useWords(seasonsWords);
  const format = useFormat();
  const can = useCan();
  const { points } = usePoints();
  const [isUndoing, setIsUndoing] = useState(false);
  const { clusterIds, serverIds, announcement } = season;
  const chosen = clusterIds.length + serverIds.length;
  const texts = [announcement.en, announcement['pt-BR']].filter((text) => text !== '');
  return (
    <Frame
      title={season.name}
      description={
        <Group gap="xs">
          <PanelLink to="/seasons">{words.all}</PanelLink>
          <SeasonLabel state={season.state} />
        </Group>
      }
      actions={
        can('seasons.write') &&
        season.state === 'done' && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => setIsUndoing(true)}
          >
            {words.undo}
          </Button>
        )
      }
    >
      <SeasonProgress season={season} />
      <Card title={words.about}>
        <Facts
          facts={[
            {
              label: words.scope,
              value:
                chosen === 0
                  ? words.everyServer(games[season.game].name)
                  : `${games[season.game].name}, ${words.someServers(chosen)}`,
            },
            { label: words.pieces, value: format.number(season.pieces) },
            { label: words.members, value: format.number(season.members) },
            { label: words.taken, value: points(season.pointsTaken) },
            { label: words.wiped, value: <Moment at={season.wipedAt} /> },
            { label: words.began, value: <Moment at={season.createdAt} /> },
            { label: words.by, value: <bdi>{season.actorName ?? '–'}</bdi> },
            ...(season.undoneBy === null
              ? []
              : [{ label: words.undoneBy, value: <bdi>{season.undoneBy}</bdi> }]),
            ...(texts.length === 0
              ? []
              : [{ label: words.announcement, value: <bdi>{texts.join(' · ')}</bdi> }]),
          ]}
        />
      </Card>
      <HinderedCard season={season} state="waiting" title={words.retried} text={words.retriedText} />
      <HinderedCard season={season} state="skipped" title={words.leftOut} text={leftOutText(season, words)} />
      {isUndoing && <UndoDialog season={season} onClose={() => setIsUndoing(false)} />}
    </Frame>
  );
};

const SeasonProgress = ({ season }: { readonly season: SeasonDetails }) => {
  const words = useWords(seasonsWords);
  const { state, progress } = season;
  if (state === 'done' || state === 'undone') return null;
  const all = progress.waiting + progress.done + progress.skipped + progress.undone;
  const done = state === 'running' ? progress.done + progress.skipped : progress.undone + progress.skipped;
  return (
    <Alert color="var(--tone-busy)" variant="outline" title={words.states[state]}>
      <Stack gap="xs">
        <Progress value={all === 0 ? 0 : (done / all) * 100} aria-label={words.progress} />
        <Text size="sm" role="status">
          {words.steps(done, all)}. {words.heldNow}
        </Text>
      </Stack>
    </Alert>
  );
};

/** A season that is undone gives nothing, manually or automatically. */
const leftOutText = (
  { state }: Pick<SeasonDetails, 'state'>,
  words: Pick<(typeof seasonsWords)['en'], 'leftOutDone' | 'leftOutText'>,
): string => {
  if (state === 'undoing' || state === 'undone') return '';
  return state === 'done' ? `${words.leftOutDone} ${words.leftOutText}` : words.leftOutText;
};

const HinderedCard = (props: {
  readonly season: SeasonDetails;
  readonly state: SeasonDetails['hindered'][number]['state'];
  readonly title: string;
  readonly text: string;
}) => {
  const { season, state, title, text } = props;
  const words = useWords(seasonsWords);
  const format = useFormat();
  const listed = season.hindered.filter((step) => step.state === state);
  const all = season.hinderedSteps[state];
  if (listed.length === 0) return null;
  return (
    <Card title={`${title}: ${format.number(all)}`}>
      <Text size="sm" c="dimmed">
        {text} {listed.length < all && words.firstOf(listed.length, format.number(all))}
      </Text>
      <Table.ScrollContainer minWidth={300} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.member}</Table.Th>
              <Table.Th>{words.product}</Table.Th>
              <Table.Th>{words.why}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {listed.map(({ kind, memberId, memberName, productName, detail, reason }) => (
              <Table.Tr key={`${kind} ${memberId} ${productName}`}>
                <Table.Td>
                  {memberId === null ? '–' : <MemberLink id={memberId} name={memberName ?? ''} />}
                </Table.Td>
                <Table.Td>
                  <bdi>{productName ?? (kind === 'regrant' ? '–' : words.kinds[kind])}</bdi>
                </Table.Td>
                <Table.Td>
                  <Said reason={reason} detail={detail} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
};
