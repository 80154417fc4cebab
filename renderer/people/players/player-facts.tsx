import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { membersHttp } from '#contracts/people/members.ts';
import type { PlayerDetails } from '#contracts/people/players.ts';
import { gameDetails } from '#contracts/servers/game-details.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { chatTrustHttp, type Newcomer } from '#contracts/storefronts/chat-trust.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberLink } from '../../store/member-link.tsx';
import { PlatformIdCell } from '../people/platform-id.tsx';
import { WalletFacts } from '../people/wallet-facts.tsx';
import { EntryTime } from '../timeline/entry-time.tsx';
import { chatNewcomerWords } from './chat-newcomer.words.ts';
import { playersWords } from './players.words.ts';

/** On which servers a player who is there now is too new to spend and link by chat; nothing where they are on none. */
const ChatNewcomerCard = ({ playerId }: { readonly playerId: string }) => {
  const words = useWords(chatNewcomerWords);
  const mayConfirm = useCan()('members.write');
  const params = { id: playerId };
  const { data } = useRead(chatTrustHttp.newcomers, { params }, { everyMs: pollMs.rarely });
  const confirm = useChange(chatTrustHttp.confirm, [chatTrustHttp.newcomers]);
  const [asked, setAsked] = useState<Newcomer | null>(null);
  if (!data || data.rows.length === 0) return null;
  return (
    <Card title={words.title}>
      {data.rows.map((newcomer) => (
        <div key={newcomer.serverId}>
          <Text>{words.isNew(newcomer.serverName)}</Text>
          {mayConfirm && (
            <Button
              variant="default"
              size="xs"
              mt="xs"
              aria-label={words.confirmOn(newcomer.serverName)}
              onClick={() => setAsked(newcomer)}
            >
              {words.confirm}
            </Button>
          )}
        </div>
      ))}
      {asked && (
        <ConfirmAction
          title={words.question(asked.playerName, asked.serverName)}
          act={words.confirm}
          doneText={words.done(asked.playerName)}
          onAction={() => confirm.mutateAsync({ params, body: { serverId: asked.serverId } })}
          onClose={() => setAsked(null)}
        >
          {words.consequence}
        </ConfirmAction>
      )}
    </Card>
  );
};

/** The number by which the game's commands address a player on each server; nothing where none is known. */
const SurvivorNumbers = ({
  playerId,
  nameOf,
}: {
  readonly playerId: string;
  readonly nameOf: (serverId: string) => string;
}) => {
  const { survivor: words } = useWords(playersWords);
  const read = useRead(
    deliveriesHttp.survivorNumbers,
    { params: { id: playerId } },
    { everyMs: pollMs.rarely },
  );
  const rows = read.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={words.title}>
      <Facts
        facts={rows.map(({ serverId, number, source, foundIn, setAt }) => ({
          label: <bdi>{nameOf(serverId)}</bdi>,
          value: (
            <>
              <Text span ff="monospace">
                {number}
              </Text>{' '}
              <Text span size="sm" c="dimmed">
                {words.setBy[source]} {foundIn !== null && <bdi>{foundIn}</bdi>} <TimeAgo at={setAt} />
              </Text>
            </>
          ),
        }))}
      />
    </Card>
  );
};

export const PlayerFacts = ({
  player,
  nameOf,
}: {
  readonly player: PlayerDetails;
  readonly nameOf: (serverId: string) => string;
}) => {
  const words = useWords(playersWords);
  const format = useFormat();
  const can = useCan();
  return (
    <>
      {can('members.read') && <WalletOfPlayer playerId={player.id} />}
      {can('members.read') && <ChatNewcomerCard playerId={player.id} />}
      <Card title={words.present}>
        <Facts
          facts={[
            { label: words.platformId, value: <PlatformId platformId={player.platformId} /> },
            { label: words.played, value: format.duration(player.playedSeconds) },
            { label: words.firstSeen, value: <EntryTime at={player.firstSeenAt} /> },
            { label: words.lastSeen, value: <EntryTime at={player.lastSeenAt} /> },
            ...earlierNames(player, words.earlierNames),
          ]}
        />
      </Card>
      {gameDetails[player.game].hasSurvivorNumbers && (
        <SurvivorNumbers playerId={player.id} nameOf={nameOf} />
      )}
    </>
  );
};

/** The number of names shown; the rest are counted. */
const mostNames = 8;

const earlierNames = ({ name, names }: PlayerDetails, label: string) => {
  const earlier = names
    .filter((one) => one.name !== name)
    .toSorted((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1));
  if (earlier.length === 0) return [];
  return [{ label, value: <EarlierNames names={earlier} /> }];
};

const EarlierNames = ({ names }: Pick<PlayerDetails, 'names'>) => {
  const words = useWords(playersWords);
  const format = useFormat();
  const left = names.length - mostNames;
  return (
    <>
      {names.slice(0, mostNames).map(({ name, firstSeenAt, lastSeenAt }) => (
        <div key={name} title={`${format.date(firstSeenAt)} – ${format.date(lastSeenAt)}`}>
          <bdi>{name}</bdi>
        </div>
      ))}
      {left > 0 && <Text c="dimmed">{words.moreNames(left)}</Text>}
    </>
  );
};

const WalletOfPlayer = ({ playerId }: { readonly playerId: string }) => {
  const words = useWords(playersWords);
  const member = useRead(membersHttp.ofPlayer, { params: { id: playerId } });
  const { data } = member;
  if (!data && member.error) return <Trouble error={member.error} onRetry={() => void member.refetch()} />;
  return (
    <WalletFacts
      balance={data?.balance ?? null}
      note={
        data ? (
          <>
            {words.member} <MemberLink id={data.id} name={data.name} />
          </>
        ) : (
          ''
        )
      }
    />
  );
};

const PlatformId = ({ platformId }: Pick<PlayerDetails, 'platformId'>) => {
  const words = useWords(playersWords);
  if (platformId === null) return <Text>{words.noPlatformIdText}</Text>;
  return (
    <Group gap={4} wrap="nowrap">
      <PlatformIdCell platformId={platformId} />
      <CopyButton value={platformId} label={words.copyPlatformId} />
    </Group>
  );
};
