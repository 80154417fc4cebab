import { useMemo } from 'react';
import { useRoute } from 'wouter';
import { games } from '#contracts/servers/games.ts';
import { type Season, seasonsHttp } from '#contracts/store/seasons.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, usePagedRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { NewSeasonPage } from './new-season-page.tsx';
import { SeasonLabel } from './season-label.tsx';
import { SeasonPage } from './season-page.tsx';
import { seasonsWords } from './seasons.words.ts';

const rowId = ({ id }: Season) => id;

const SeasonsList = () => {
  const words = useWords(seasonsWords);
  const can = useCan();
  const seasons = usePagedRead(seasonsHttp.list, { query: {} }, { everyMs: pollMs.often });
  const columns = useSeasonColumns();
  const create = can('seasons.write') && (
    <AddButton onClick={() => goTo('/seasons/new')}>{words.create}</AddButton>
  );
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <PagedList
        paged={seasons}
        name="seasons"
        label={words.title}
        rowId={rowId}
        columns={columns}
        rowTo={({ id }) => `/seasons/${id}`}
        empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
      />
    </Frame>
  );
};

const useSeasonColumns = (): readonly ListColumn<Season>[] => {
  const words = useWords(seasonsWords);
  const format = useFormat();
  return useMemo(
    (): readonly ListColumn<Season>[] => [
      {
        id: 'name',
        header: words.name,
        cell: ({ name }) => <bdi>{name}</bdi>,
        text: ({ name }) => name,
        width: 'minmax(8.5rem, 2fr)',
      },
      {
        id: 'state',
        header: words.state,
        cell: ({ state }) => <SeasonLabel state={state} />,
        text: ({ state }) => words.states[state],
        width: 'minmax(9rem, 1fr)',
      },
      {
        id: 'game',
        header: words.game,
        cell: ({ game }) => games[game].name,
        text: ({ game }) => games[game].name,
        width: 'minmax(7.5rem, 1fr)',
        isMinor: true,
      },
      {
        id: 'members',
        header: words.members,
        cell: ({ members }) => format.number(members),
        text: ({ members }) => String(members),
        width: '6.5rem',
        align: 'end',
      },
      {
        id: 'pieces',
        header: words.pieces,
        cell: ({ pieces }) => format.number(pieces),
        text: ({ pieces }) => String(pieces),
        width: '8.5rem',
        align: 'end',
        isMinor: true,
      },
      timeColumn({
        id: 'began',
        header: words.began,
        at: ({ createdAt }) => createdAt,
        width: '8.5rem',
        isMinor: true,
      }),
    ],
    [words, format],
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/seasons/:id');
  if (!isOne) return <SeasonsList />;
  return params.id === 'new' ? <NewSeasonPage /> : <SeasonPage key={params.id} id={params.id} />;
};
