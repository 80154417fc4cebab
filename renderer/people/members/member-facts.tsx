import { Text } from '@mantine/core';
import type { MemberDetails } from '#contracts/people/members.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PlatformIdCell } from '../people/platform-id.tsx';
import { WalletFacts } from '../people/wallet-facts.tsx';
import { EntryTime } from '../timeline/entry-time.tsx';
import { DiscordAccount } from './member-discord.tsx';
import { membersWords } from './members.words.ts';

export const MemberFacts = ({ member }: { readonly member: MemberDetails }) => {
  const words = useWords(membersWords);
  return (
    <>
      <WalletFacts balance={member.balance} />
      <MemberPlayers players={member.players} />
      <Card title={words.facts}>
        <Facts
          facts={[
            { label: words.discord, value: <DiscordAccount member={member} /> },
            {
              label: words.lastSeen,
              value: member.lastSeenAt === null ? words.never : <EntryTime at={member.lastSeenAt} />,
            },
            { label: words.since, value: <EntryTime at={member.createdAt} /> },
          ]}
        />
      </Card>
    </>
  );
};

/** The person's players, a row for each game. */
const MemberPlayers = ({ players }: Pick<MemberDetails, 'players'>) => {
  const words = useWords(membersWords);
  const can = useCan();
  const isLinked = can.somewhere('players.read');
  return (
    <Card title={words.players}>
      {players.length === 0 ? (
        <Text c="dimmed">{words.noPlayers}</Text>
      ) : (
        <Facts
          facts={players.map(({ id, name, game, platformId }) => ({
            label: games[game].name,
            value: (
              <>
                {isLinked ? (
                  <PanelLink to={`/players/${id}`}>
                    <bdi>{name}</bdi>
                  </PanelLink>
                ) : (
                  <bdi>{name}</bdi>
                )}
                {platformId === null ? (
                  <Text size="xs" c="dimmed">
                    {words.noPlatformId}
                  </Text>
                ) : (
                  <PlatformIdCell platformId={platformId} />
                )}
              </>
            ),
          }))}
        />
      )}
    </Card>
  );
};
