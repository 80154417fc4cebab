import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type BanDetails, type BanPlace, bansHttp } from '#contracts/people/bans.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { plainText } from '../../servers/plain-text.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { BanName, BanPlaceLabel, BanReachLabel, useBanEnd, useBanScope } from '../moderation/ban-labels.tsx';
import { bansWords } from '../moderation/bans.words.ts';
import { mayChangeBan, rereadBans, UnbanDialog } from '../moderation/unban.tsx';

export const BanPage = ({ id }: { readonly id: string }) => {
  const words = useWords(bansWords);
  return (
    <FoundPage
      endpoint={bansHttp.read}
      id={id}
      everyMs={pollMs.often}
      words={words}
      back={{ to: '/bans', label: words.all }}
    >
      {(ban) => <BanView ban={ban} />}
    </FoundPage>
  );
};

const BanView = ({ ban }: { readonly ban: BanDetails }) => {
  const words = useWords(bansWords);
  const scopeOf = useBanScope();
  const endOf = useBanEnd();
  const name = <BanName ban={ban} />;
  return (
    <Frame
      title={ban.playerName || words.erased}
      description={
        <Group gap="xs">
          <PanelLink to="/bans">{words.all}</PanelLink>
          <BanReachLabel ban={ban} />
        </Group>
      }
      actions={<BanActs ban={ban} />}
    >
      <Card title={words.about}>
        <Facts
          facts={[
            { label: words.reason, value: ban.reason === '' ? words.noReason : <bdi>{ban.reason}</bdi> },
            {
              label: words.player,
              value:
                ban.playerId === null ? name : <PanelLink to={`/players/${ban.playerId}`}>{name}</PanelLink>,
            },
            { label: words.game, value: games[ban.game].name },
            { label: words.where, value: scopeOf(ban) },
            { label: words.by, value: <bdi>{ban.by.name ?? '–'}</bdi> },
            { label: words.since, value: <Moment at={ban.bannedAt} /> },
            { label: words.until, value: endOf(ban) },
            ...(ban.endedAt === null ? [] : [{ label: words.ended, value: <Moment at={ban.endedAt} /> }]),
          ]}
        />
      </Card>
      <Card title={words.servers}>
        <Places ban={ban} />
      </Card>
    </Frame>
  );
};

const BanActs = ({ ban }: { readonly ban: BanDetails }) => {
  const words = useWords(bansWords);
  const can = useCan();
  const [asked, setAsked] = useState<'unban' | 'restore' | null>(null);
  const send = useChange(bansHttp.send, rereadBans);
  const restore = useChange(bansHttp.restore, rereadBans);
  const params = { id: ban.id };
  const close = () => setAsked(null);
  if (!mayChangeBan(can, ban)) return null;
  const again = () =>
    send.mutate(
      { params, body: {} },
      { onSuccess: () => notifyDone(words.sentAgain), onError: notifyTrouble },
    );
  return (
    <>
      {ban.details.length > 0 && (
        <Button variant="default" loading={send.isPending} onClick={again}>
          {words.sendAgain}
        </Button>
      )}
      {ban.endedAt === null && (
        <Button variant="default" onClick={() => setAsked('unban')}>
          {words.unban}
        </Button>
      )}
      {ban.endedHow === 'lifted' && (
        <Button variant="default" onClick={() => setAsked('restore')}>
          {words.restore}
        </Button>
      )}
      {asked === 'unban' && <UnbanDialog ban={ban} onClose={close} />}
      {asked === 'restore' && (
        <ConfirmAction
          title={words.restoreTitle(ban.playerName)}
          act={words.restore}
          onAction={() => restore.mutateAsync({ params, body: {} })}
          doneText={words.undone(ban.playerName)}
          onClose={close}
        >
          {words.restoreText}
        </ConfirmAction>
      )}
    </>
  );
};

const placeId = ({ serverId, playerId }: BanPlace) => `${serverId} ${playerId}`;

const Places = ({ ban }: { readonly ban: BanDetails }) => {
  const words = useWords(bansWords);
  const { nameOf } = useServerNames();
  const { details } = ban;
  const hasSeveralPlayers = details.some(({ playerId }) => playerId !== details[0]?.playerId);
  const columns = useMemo(
    (): readonly ListColumn<BanPlace>[] => [
      {
        id: 'server',
        header: words.server,
        cell: ({ serverId }) => <bdi>{nameOf(serverId)}</bdi>,
        text: ({ serverId }) => nameOf(serverId),
        sortBy: ({ serverId }) => nameOf(serverId),
        width: 'minmax(8rem, 1.5fr)',
      },
      ...(hasSeveralPlayers
        ? [
            {
              id: 'player',
              header: words.player,
              cell: ({ playerName }: BanPlace) => <bdi>{playerName}</bdi>,
              text: ({ playerName }: BanPlace) => playerName,
              width: 'minmax(7rem, 1fr)',
            },
          ]
        : []),
      {
        id: 'state',
        header: words.state,
        cell: ({ state }) => <BanPlaceLabel state={state} />,
        text: ({ state }) => words.states[state],
        sortBy: ({ state }) => words.states[state],
        width: 'minmax(11rem, 1fr)',
      },
      {
        id: 'since',
        header: words.changed,
        cell: ({ knownAt, wantedAt, nextTryAt }) => (
          <TimeAgo at={nextTryAt === null ? (knownAt ?? wantedAt) : wantedAt} />
        ),
        text: ({ knownAt, wantedAt }) => knownAt ?? wantedAt,
        width: '8rem',
        isMinor: true,
      },
      {
        id: 'answer',
        header: words.answer,
        cell: (place) => <Answer place={place} />,
        text: ({ reply, detail }) => reply ?? detail ?? '',
        width: 'minmax(10rem, 2fr)',
        isMinor: true,
      },
    ],
    [words, nameOf, hasSeveralPlayers],
  );
  return (
    <DataList
      name="ban-places"
      label={words.servers}
      rows={details}
      rowId={placeId}
      columns={columns}
      empty={
        ban.endedAt === null ? (
          <EmptyState title={words.noPlaces} text={words.noPlacesText} />
        ) : (
          <Text c="dimmed">{words.placesForgotten}</Text>
        )
      }
    />
  );
};

/** The game's reply, or why there is none. */
const Answer = ({ place: { reply, detail, reason } }: { readonly place: BanPlace }) => {
  if (reply !== null && reply.trim() !== '') return <bdi>{plainText(reply)}</bdi>;
  return detail === null ? '–' : <Said reason={reason} detail={detail} />;
};
