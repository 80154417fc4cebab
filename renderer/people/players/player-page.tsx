import { Button, Group, Menu, Stack, Table, Text } from '@mantine/core';
import { IconChevronDown, IconMessage } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { bansHttp } from '#contracts/people/bans.ts';
import { type PlayerDetails, playersHttp } from '#contracts/people/players.ts';
import { games, hasPlayerAction, type PlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, queryClient, readKey, usePagedRead, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { DetailHeader } from '../../kit/design/detail-header.tsx';
import { DetailTabs } from '../../kit/design/detail-tabs.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { ActionDialog, type ActionDialogProps } from '../moderation/action-dialog.tsx';
import { peopleWords } from '../people/people.words.ts';
import { PersonColumns } from '../people/person-columns.tsx';
import { PersonMark } from '../people/person-mark.tsx';
import { PresencePill } from '../people/presence-pill.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { PlayerBans } from './player-bans.tsx';
import { PlayerFacts } from './player-facts.tsx';
import { playersWords } from './players.words.ts';

type ActionButtonsProps = Omit<ActionDialogProps, 'action' | 'onClose'>;

const moderating = ['kick', 'ban', 'unban'] as const satisfies readonly PlayerAction[];
const whitelisting = ['whitelist-add', 'whitelist-remove'] as const satisfies readonly PlayerAction[];

/** The actions on a player; hidden until there is a server to do them on. Harmful ones are in a menu, away from the most frequent ones. */
const ActionButtons = (props: ActionButtonsProps) => {
  const words = useWords(moderationWords);
  const [action, setAction] = useState<PlayerAction | null>(null);
  const item = (each: PlayerAction) => (
    <Menu.Item key={each} onClick={() => setAction(each)}>
      {words.menu[each]}
    </Menu.Item>
  );
  const isHidden = props.servers.length === 0;
  return (
    <Group gap="xs" {...(isHidden && { style: { visibility: 'hidden' as const } })}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {words.moderate}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {moderating.map(item)}
          {hasPlayerAction(props.game, 'whitelist-add') && (
            <>
              <Menu.Divider />
              {whitelisting.map(item)}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {hasPlayerAction(props.game, 'message') && (
        <Button leftSection={<IconMessage size={16} aria-hidden />} onClick={() => setAction('message')}>
          {words.menu.message}
        </Button>
      )}
      {action && <ActionDialog {...props} action={action} onClose={() => setAction(null)} />}
    </Group>
  );
};

const sessionsAtOnce = 25;

const PlayerSessions = ({
  playerId,
  nameOf,
}: {
  readonly playerId: string;
  readonly nameOf: (serverId: string) => string;
}) => {
  const words = useWords(playersWords);
  const format = useFormat();
  const sessions = usePagedRead(playersHttp.sessions, {
    params: { id: playerId },
    query: { limit: sessionsAtOnce },
  });
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = sessions;
  return (
    <Card title={words.sessions}>
      {error && rows.length === 0 && <Trouble error={error} onRetry={reload} />}
      {isPending && !error && <Loading />}
      {!isPending && rows.length === 0 && <Text c="dimmed">{words.noSessions}</Text>}
      {rows.length > 0 && (
        <Table aria-label={words.sessions}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.server}</Table.Th>
              <Table.Th>{words.joined}</Table.Th>
              <Table.Th>{words.left}</Table.Th>
              <Table.Th ta="end">{words.played}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, serverId, joinedAt, leftAt, playedSeconds }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <bdi>{nameOf(serverId)}</bdi>
                </Table.Td>
                <Table.Td>
                  <TimeAgo at={joinedAt} />
                </Table.Td>
                <Table.Td>
                  {leftAt ? <TimeAgo at={leftAt} /> : <StateLabel tone="ok">{words.stillOn}</StateLabel>}
                </Table.Td>
                <Table.Td ta="end">{format.duration(playedSeconds)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          {words.more}
        </Button>
      )}
    </Card>
  );
};

const tabNames = ['timeline', 'sessions', 'bans'] as const;
type Tab = (typeof tabNames)[number];

export const PlayerPage = ({ id, tab }: { readonly id: string; readonly tab: string }) => {
  const words = useWords(playersWords);
  return (
    <FoundPage
      endpoint={playersHttp.read}
      id={id}
      everyMs={pollMs.rarely}
      words={words}
      back={{ to: '/players', label: words.back }}
    >
      {(player) => <PlayerView player={player} shown={tabNames.find((name) => name === tab) ?? 'timeline'} />}
    </FoundPage>
  );
};

/** A player has joined or left, so sessions and times have changed. */
const useRereadWhenMoved = (presence: string) => {
  const before = useRef(presence);
  useEffect(() => {
    if (before.current === presence) return;
    before.current = presence;
    void queryClient.invalidateQueries({ queryKey: readKey(playersHttp.sessions) });
    void queryClient.invalidateQueries({ queryKey: readKey(playersHttp.read) });
  }, [presence]);
};

const PlayerView = ({ player, shown }: { readonly player: PlayerDetails; readonly shown: Tab }) => {
  const words = useWords(playersWords);
  const people = useWords(peopleWords);
  const format = useFormat();
  const can = useCan();
  const { servers, nameOf } = useServerNames();
  const where = useLivePlayers().whereIs(player);
  const here = where.state === 'on' ? where.places[0]?.serverId : undefined;
  useRereadWhenMoved(JSON.stringify(where.state === 'on' ? where.places : where.state));
  const active = useRead(
    bansHttp.list,
    { query: { playerId: player.id, state: 'active', limit: 20 } },
    { everyMs: pollMs.usual },
  );
  const bans = active.data?.rows.length ?? 0;

  const open = servers.filter((server) => can('players.write', server.id));
  // The servers of the player's game, and where the player is: on a server of another game, a command would mean a different player.
  const offered = open.filter(({ id, game }) => game === player.game || id === here);
  const ofGame = offered.filter(({ game }) => game === player.game);
  const chosen = offered.find(({ id }) => id === here) ?? (ofGame.length === 1 ? ofGame[0] : undefined);
  const address = (tab: Tab) => `/players/${player.id}${tab === 'timeline' ? '' : `/${tab}`}`;
  const content = {
    timeline: () => (
      <Timeline of={{ kind: 'player', id: player.id }} serverName={nameOf} playerName={() => null} />
    ),
    sessions: () => <PlayerSessions playerId={player.id} nameOf={nameOf} />,
    bans: () => <PlayerBans playerId={player.id} name={player.name} />,
  };
  return (
    <Stack gap="md" maw="var(--content-width)">
      <DetailHeader
        mark={<PersonMark name={player.name} />}
        title={player.name}
        {...(shown !== 'timeline' && { part: words.tabs[shown] })}
        state={
          <>
            <span role="status">
              <PresencePill where={where} serverName={nameOf} />
            </span>
            {bans > 0 && <StateLabel tone="bad">{people.banned}</StateLabel>}
          </>
        }
        facts={[
          { key: 'game', content: games[player.game].name },
          { key: 'since', content: words.knownSince(format.date(player.firstSeenAt)) },
        ]}
        actions={
          // They reserve their place until the servers are known.
          (offered.length > 0 || (servers.length === 0 && can.somewhere('players.write'))) && (
            <ActionButtons
              player={player}
              game={chosen?.game ?? player.game}
              servers={offered}
              serverId={chosen?.id ?? null}
            />
          )
        }
      />
      <PersonColumns facts={<PlayerFacts player={player} nameOf={nameOf} />}>
        <DetailTabs
          label={people.sections}
          shown={shown}
          onShow={(tab) => goTo(address(tab))}
          tabs={tabNames.map((name) => ({
            name,
            label: words.tabs[name],
            ...(name === 'bans' && bans > 0 && { count: bans }),
          }))}
        >
          {content[shown]()}
        </DetailTabs>
      </PersonColumns>
    </Stack>
  );
};
