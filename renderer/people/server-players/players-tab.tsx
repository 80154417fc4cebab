import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { PlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { NothingMatches } from '../../kit/lists/filter-box.tsx';
import { ActionReport } from '../../servers/action-report.tsx';
import { presentDraft, setDraft, useDraft } from '../../servers/drafts.ts';
import { playersWords } from '../../servers/players.words.ts';
import { PlayersUnknown } from '../../servers/players-unknown.tsx';
import { usePlayersOf } from '../../servers/use-players-of.ts';
import { ActionDialog } from '../moderation/action-dialog.tsx';
import { PlayerRow } from './player-row.tsx';
import classes from './players.module.css';

const longestText = 300;

const BroadcastCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(playersWords).broadcast;
  const place = `broadcast:${server.id}`;
  const text = useDraft(place);
  const broadcast = useChange(playersHttp.broadcast, [consoleHttp.history]);
  const send = () =>
    broadcast.mutate(
      { params: { id: server.id }, body: { text } },
      {
        onSuccess: ({ verdict }) => verdict === 'done' && presentDraft(place) === text && setDraft(place, ''),
      },
    );
  return (
    <Card title={words.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!broadcast.isPending) send();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw="min(16rem, 100%)"
            label={words.label}
            placeholder={words.placeholder}
            value={text}
            onChange={({ currentTarget }) => setDraft(place, currentTarget.value)}
            required
            withAsterisk={false}
            maxLength={longestText}
            autoComplete="off"
          />
          <Button type="submit" loading={broadcast.isPending}>
            {words.send}
          </Button>
        </Group>
      </form>
      <div role="status">{broadcast.data && <ActionReport report={broadcast.data} />}</div>
      {broadcast.error && <Trouble error={broadcast.error} />}
    </Card>
  );
};

interface Order {
  readonly player: { readonly id: string; readonly name: string };
  readonly action: PlayerAction;
}
/** Shorter lists need no search. */
const worthSearching = 10;

/** Who is on a server now, and the actions on them. */
export const PlayersTab = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(playersWords);
  const can = useCan();
  const online = usePlayersOf(server.id);
  const [wanted, setWanted] = useState('');
  const searchInput = useRef<HTMLInputElement>(null);
  const [order, setOrder] = useState<Order | null>(null);
  const mayAct = can('players.write', server.id) && !server.archivedAt;
  const players = online?.players ?? null;
  const sorted = (players ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const search = wanted.trim().toLocaleLowerCase();
  const shown = sorted.filter(({ name, platformId }) =>
    `${name} ${platformId ?? ''}`.toLocaleLowerCase().includes(search),
  );
  if (server.archivedAt) return <Text c="dimmed">{words.archived}</Text>;
  return (
    <Stack>
      {mayAct && <BroadcastCard server={server} />}
      <Card
        title={players === null ? words.online : `${words.online} (${players.length})`}
        actions={<PanelLink to="/players">{words.allPlayers}</PanelLink>}
      >
        {online === undefined && <Loading rows={3} />}
        {online && players === null && <PlayersUnknown asOf={online.asOf} />}
        {players?.length === 0 && (
          <EmptyState title={words.noPlayersOnline} text={words.noPlayersText} example="items" />
        )}
        {sorted.length >= worthSearching && (
          <TextInput
            ref={searchInput}
            aria-label={words.search}
            placeholder={words.search}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={wanted}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        )}
        <ul className={classes.list} aria-label={words.online}>
          {shown.map((player) => (
            <PlayerRow
              key={player.playerId}
              player={player}
              game={server.game}
              mayAct={mayAct}
              onAction={(action) => setOrder({ player: { id: player.playerId, name: player.name }, action })}
            />
          ))}
        </ul>
        {sorted.length > 0 && shown.length === 0 && (
          <div role="status">
            <NothingMatches
              onClear={() => {
                setWanted('');
                // The button disappears with the search.
                searchInput.current?.focus();
              }}
            />
          </div>
        )}
      </Card>
      {order && (
        <ActionDialog
          {...order}
          game={server.game}
          servers={[server]}
          serverId={server.id}
          onClose={() => setOrder(null)}
        />
      )}
    </Stack>
  );
};
