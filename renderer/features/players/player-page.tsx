import { Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { games } from '#contracts/games.ts';
import { type PlayerDetails, playersHttp } from '#contracts/players.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { FoundPage } from '../../design/found-page.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useLivePlayers } from '../../game-servers/use-live-players.ts';
import { useServerNames } from '../../game-servers/use-server-names.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionButtons } from '../../moderation/action-buttons.tsx';
import { MemberOfPlayer } from '../../store-parts/member-of-player.tsx';
import { queryClient, readKey } from '../../wire/queries.ts';
import { PlayerNames } from './player-names.tsx';
import { PlayerSessions } from './player-sessions.tsx';
import { playersWords } from './players.words.ts';
import { SurvivorNumbers } from './survivor-numbers.tsx';
import { WhereLabel } from './where-label.tsx';

const everyMs = 60_000;

export const PlayerPage = ({ id }: { readonly id: string }) => {
  const words = useWords(playersWords);
  return (
    <FoundPage
      endpoint={playersHttp.read}
      id={id}
      everyMs={everyMs}
      words={words}
      back={{ to: '/players', label: words.back }}
    >
      {(player) => <PlayerView player={player} />}
    </FoundPage>
  );
};

const PlayerView = ({ player }: { readonly player: PlayerDetails }) => {
  const words = useWords(playersWords);
  const format = useFormat();
  const can = useCan();
  const { servers, nameOf } = useServerNames();
  const where = useLivePlayers().whereIs(player);
  const here = where.state === 'on' ? where.places[0]?.serverId : undefined;

  // They have come or gone: sessions and times are others now.
  const presence = JSON.stringify(where.state === 'on' ? where.places : where.state);
  const before = useRef(presence);
  useEffect(() => {
    if (before.current === presence) return;
    before.current = presence;
    void queryClient.invalidateQueries({ queryKey: readKey(playersHttp.sessions) });
    void queryClient.invalidateQueries({ queryKey: readKey(playersHttp.read) });
  }, [presence]);

  const open = servers.filter((server) => can('players.write', server.id));
  const ofGame = open.filter(({ game }) => game === player.game);
  const chosen = open.find(({ id }) => id === here) ?? (ofGame.length === 1 ? ofGame[0] : undefined);
  return (
    <Frame
      title={player.name}
      description={
        <Group gap="xs">
          <PanelLink to="/players">{words.title}</PanelLink>
          <span>{games[player.game].name}</span>
        </Group>
      }
      actions={
        open.length > 0 && <ActionButtons player={player} servers={open} serverId={chosen?.id ?? null} />
      }
    >
      <Card title={words.present}>
        <Facts
          facts={[
            { label: words.where, value: <WhereLabel where={where} serverName={nameOf} isFull /> },
            { label: words.platformId, value: <PlatformId platformId={player.platformId} /> },
            { label: words.played, value: format.duration(player.playedSeconds) },
            { label: words.firstSeen, value: <TimeAgo at={player.firstSeenAt} /> },
            { label: words.lastSeen, value: <TimeAgo at={player.lastSeenAt} /> },
            ...(can('members.read')
              ? [{ label: words.member, value: <MemberOfPlayer playerId={player.id} /> }]
              : []),
          ]}
        />
      </Card>
      {player.game.startsWith('ark') && <SurvivorNumbers playerId={player.id} nameOf={nameOf} />}
      <PlayerNames names={player.names} />
      <PlayerSessions playerId={player.id} nameOf={nameOf} />
    </Frame>
  );
};

const PlatformId = ({ platformId }: Pick<PlayerDetails, 'platformId'>) => {
  const words = useWords(playersWords);
  if (platformId === null) return <Text>{words.noPlatformIdText}</Text>;
  return (
    <Group gap={4} wrap="nowrap">
      <Text ff="monospace" size="sm">
        <bdi>{platformId}</bdi>
      </Text>
      <CopyButton value={platformId} label={words.copyPlatformId} />
    </Group>
  );
};
