import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/clusters.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { Shown } from '../../design/shown.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { DataList } from '../../lists/data-list.tsx';
import { useSearchState } from '../../routing/use-search-state.ts';
import { call } from '../../wire/call.ts';
import { useRead } from '../../wire/queries.ts';
import { ClusterForm } from './cluster-form.tsx';
import { clustersWords } from './clusters.words.ts';

type Editing = { readonly cluster?: Cluster } | null;

export const Page = () => {
  const words = useWords(clustersWords);
  const can = useCan();
  const format = useFormat();
  const { values } = useSearchState();
  const [editing, setEditing] = useState<Editing>(null);
  const archived = values.archived === 'true' ? 'true' : 'false';
  const clusters = useRead(clustersHttp.list, { query: { archived } });
  const servers = useRead(gameServersHttp.list, {});
  const countIn = ({ id }: Cluster) =>
    servers.data?.rows.filter(({ clusterId }) => clusterId === id).length ?? 0;

  const mayChange = can('servers.write');
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing({})}>
      {words.create}
    </Button>
  );
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <Shown read={clusters}>
        {({ rows }) => (
          <DataList
            name="clusters"
            label={words.title}
            rows={rows}
            rowId={({ id }) => id}
            search={({ name, description }) => `${name} ${description}`}
            filters={[{ id: 'archived', label: words.state, options: [{ value: 'true', label: words.all }] }]}
            columns={[
              {
                id: 'name',
                header: words.name,
                cell: ({ name }) => <bdi>{name}</bdi>,
                sortBy: ({ name }) => name,
                text: ({ name }) => name,
                width: 'minmax(10rem, 1fr)',
              },
              {
                id: 'description',
                header: words.descriptionField,
                cell: ({ description }) => <bdi>{description}</bdi>,
                text: ({ description }) => description,
                width: 'minmax(10rem, 2fr)',
                isMinor: true,
              },
              {
                id: 'servers',
                header: words.servers,
                cell: (row) => format.number(countIn(row)),
                sortBy: countIn,
                text: (row) => String(countIn(row)),
                width: '7rem',
                align: 'end',
              },
              {
                id: 'state',
                header: words.state,
                cell: ({ archivedAt }) => (
                  <StateLabel tone={archivedAt ? 'idle' : 'ok'}>
                    {archivedAt ? words.archived : words.inUse}
                  </StateLabel>
                ),
                text: ({ archivedAt }) => (archivedAt ? words.archived : words.inUse),
                width: '9rem',
              },
              {
                id: 'created',
                header: words.created,
                cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
                sortBy: ({ createdAt }) => createdAt,
                text: ({ createdAt }) => createdAt,
                width: '9rem',
                isMinor: true,
              },
            ]}
            {...(mayChange && {
              onOpen: (cluster: Cluster) => setEditing({ cluster }),
              bulk: [
                {
                  label: words.archive,
                  isDestructive: true,
                  question: (chosen: readonly Cluster[]) => words.archiveMany(chosen.length),
                  isFor: ({ archivedAt }: Cluster) => archivedAt === null,
                  run: ({ id }: Cluster) => call(clustersHttp.archive, { params: { id } }),
                  nameOf: ({ name }: Cluster) => name,
                },
                {
                  label: words.restore,
                  isFor: ({ archivedAt }: Cluster) => archivedAt !== null,
                  run: ({ id }: Cluster) => call(clustersHttp.restore, { params: { id } }),
                  nameOf: ({ name }: Cluster) => name,
                },
              ],
            })}
            empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
          />
        )}
      </Shown>
      {editing && <ClusterForm {...editing} onClose={() => setEditing(null)} />}
    </Frame>
  );
};
