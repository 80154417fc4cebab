import type { Cluster } from '#contracts/clusters.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import type { InWords } from '#contracts/words.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import type { ListColumn } from '../../lists/list-props.ts';
import type { clustersWords } from './clusters.words.ts';

/** `servers` is absent until they are known: no number is shown until then. */
export const clusterColumns = (
  words: InWords<(typeof clustersWords)['en']>,
  servers: readonly GameServer[] | undefined,
): readonly ListColumn<Cluster>[] => {
  const counts = new Map<string, number>();
  for (const { clusterId } of servers ?? []) counts.set(clusterId, (counts.get(clusterId) ?? 0) + 1);
  const countIn = ({ id }: Cluster) => (servers ? (counts.get(id) ?? 0) : null);
  const stateOf = ({ archivedAt }: Cluster) => (archivedAt ? words.archived : words.inUse);
  return [
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
      cell: (row) => {
        const count = countIn(row);
        return count === null ? words.unknown : words.serverCount(count);
      },
      sortBy: countIn,
      text: (row) => String(countIn(row) ?? ''),
      width: '8rem',
      align: 'end',
    },
    {
      id: 'state',
      header: words.state,
      cell: (row) => <StateLabel tone={row.archivedAt ? 'idle' : 'ok'}>{stateOf(row)}</StateLabel>,
      sortBy: stateOf,
      text: stateOf,
      width: '9rem',
    },
    {
      id: 'created',
      header: words.created,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
      sortBy: ({ createdAt }) => createdAt,
      text: ({ createdAt }) => createdAt,
      width: '10rem',
      isMinor: true,
    },
  ];
};
