import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useRoute } from 'wouter';
import { type Ban, banStates, bansHttp } from '#contracts/people/bans.ts';
import { type GameId, gameId, games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, usePagedRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { BulkAction, ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { NamedGameMark } from '../../servers/game-mark.tsx';
import { BanName, BanReachLabel, useBanEnd, useBanScope } from '../moderation/ban-labels.tsx';
import { bansWords } from '../moderation/bans.words.ts';
import { mayChangeBan, rereadBans, UnbanDialog } from '../moderation/unban.tsx';
import { BanPage } from './ban-page.tsx';

/** The API's limit. */
const longestText = 100;
const rowId = ({ id }: Ban) => id;

const BansList = () => {
  const words = useWords(bansWords);
  const can = useCan();
  const { values } = useSearchState();
  const [unbanning, setUnbanning] = useState<Ban | null>(null);
  const text = (values.q ?? '').trim().slice(0, longestText).trim();
  const state = banStates.find((one) => one === values.state);
  const game = gameId.safeParse(values.game).data;
  const query = {
    ...(text !== '' && { text }),
    ...(state !== undefined && { state }),
    ...(game !== undefined && { game }),
  };
  const paged = usePagedRead(bansHttp.list, { query }, { everyMs: pollMs.often });
  const columns = useBanColumns(setUnbanning);
  const bulk = useBulkActs();
  return (
    <Frame title={words.title} description={words.description}>
      <PagedList
        paged={paged}
        name="bans"
        label={words.title}
        rowId={rowId}
        columns={columns}
        search="api"
        filters={[
          {
            id: 'state',
            label: words.state,
            options: banStates.map((value) => ({ value, label: words[value] })),
          },
          {
            id: 'game',
            label: words.game,
            options: (Object.keys(games) as GameId[]).map((value) => ({ value, label: games[value].name })),
          },
        ]}
        rowTo={({ id }) => `/bans/${id}`}
        {...(can.somewhere('players.write') && { bulk })}
        empty={
          <EmptyState
            title={words.none}
            text={words.noneText}
            action={<PanelLink to="/players">{words.toPlayers}</PanelLink>}
          />
        }
      />
      {unbanning && <UnbanDialog ban={unbanning} onClose={() => setUnbanning(null)} />}
    </Frame>
  );
};

const useBulkActs = (): readonly BulkAction<Ban>[] => {
  const words = useWords(bansWords);
  const can = useCan();
  const { mutateAsync } = useChange(bansHttp.lift, rereadBans);
  return useMemo(
    () => [
      {
        label: words.unban,
        isFor: (ban) => ban.endedAt === null && mayChangeBan(can, ban),
        nameOf: ({ playerName }) => playerName,
        question: (rows) => words.unbanChosen(rows.length),
        run: ({ id }) => mutateAsync({ params: { id }, body: {} }),
      },
    ],
    [words, can, mutateAsync],
  );
};

const useBanColumns = (onUnban: (ban: Ban) => void): readonly ListColumn<Ban>[] => {
  const words = useWords(bansWords);
  const can = useCan();
  const scopeOf = useBanScope();
  const endOf = useBanEnd();
  return useMemo(
    (): readonly ListColumn<Ban>[] => [
      {
        id: 'player',
        header: words.player,
        cell: (ban) => <BanName ban={ban} />,
        text: ({ playerName }) => playerName,
        width: 'minmax(6rem, 1.4fr)',
      },
      {
        id: 'game',
        header: words.game,
        cell: ({ game }) => <NamedGameMark game={game} />,
        text: ({ game }) => games[game].name,
        width: '4.25rem',
        isMinor: true,
      },
      {
        id: 'reason',
        header: words.reason,
        cell: ({ reason }) => <bdi>{reason || '–'}</bdi>,
        text: ({ reason }) => reason,
        width: 'minmax(6rem, 1.6fr)',
        isMinor: true,
      },
      {
        id: 'by',
        header: words.byShort,
        cell: ({ by }) => <bdi>{by.name ?? '–'}</bdi>,
        text: ({ by }) => by.name ?? by.actor,
        width: 'minmax(4rem, 0.8fr)',
        isMinor: true,
      },
      timeColumn({
        id: 'since',
        header: words.since,
        at: ({ bannedAt }) => bannedAt,
        width: '7rem',
        isMinor: true,
      }),
      {
        id: 'until',
        header: words.until,
        cell: endOf,
        text: ({ until, endedAt }) => endedAt ?? until ?? '',
        width: 'minmax(5.5rem, 1fr)',
        isMinor: true,
      },
      {
        id: 'where',
        header: words.where,
        cell: (ban) => <BanReachLabel ban={ban} />,
        text: scopeOf,
        width: '9rem',
      },
      {
        id: 'act',
        header: words.act,
        cell: (ban) =>
          ban.endedAt === null &&
          mayChangeBan(can, ban) && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.unbanOne(ban.playerName)}
              onClick={() => onUnban(ban)}
            >
              {words.unban}
            </Button>
          ),
        width: '5.75rem',
        align: 'end',
      },
    ],
    [words, can, scopeOf, endOf, onUnban],
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/bans/:id');
  return isOne ? <BanPage key={params.id} id={params.id} /> : <BansList />;
};
