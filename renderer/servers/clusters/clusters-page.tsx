import { Text, Textarea, TextInput } from '@mantine/core';
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import type { InWords } from '#contracts/kernel/words.ts';
import { type Cluster, clustersHttp } from '#contracts/servers/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { designWords } from '../../kit/design/design.words.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { clustersWords } from './clusters.words.ts';

const ClusterForm = (props: {
  /** Absent: creates a new one. */
  readonly cluster?: Cluster;
  /** The current state in the API. */
  readonly newest?: Cluster | undefined;
  readonly onClose: () => void;
}) => {
  const { cluster, newest, onClose } = props;
  const words = useWords(clustersWords);
  const general = useWords(designWords);
  const nameInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(cluster?.name ?? '');
  const [description, setDescription] = useState(cluster?.description ?? '');
  const create = useChange(clustersHttp.create, [clustersHttp.list]);
  const change = useChange(clustersHttp.change, [clustersHttp.list]);
  const errorOf = useFieldErrors(create.error ?? change.error);
  const form = useVersionedForm({
    version: cluster?.version ?? 0,
    newest,
    async send(version) {
      const body = { name, description };
      if (cluster) await change.mutateAsync({ params: { id: cluster.id }, body: { version, ...body } });
      else await create.mutateAsync({ body });
      onClose();
      return name;
    },
    show(theirs) {
      setName(theirs.name);
      setDescription(theirs.description);
      // The button disappears with the choice.
      nameInput.current?.focus();
    },
  });

  return (
    <VersionedDialog
      form={form}
      title={cluster ? words.change : words.create}
      act={general.save}
      conflictTitle={words.theirs}
      theirs={(theirs) => (
        <Text component="div">
          <bdi>{theirs.name}</bdi>
          <br />
          <bdi>{theirs.description || words.noDescription}</bdi>
        </Text>
      )}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
        label={words.name}
        error={errorOf('name')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={80}
        data-autofocus
      />
      <Textarea
        label={words.descriptionField}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        maxLength={500}
        autosize
        minRows={2}
      />
    </VersionedDialog>
  );
};

/** `servers` is absent until they are known: no number is shown until then. */
const clusterColumns = (
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
    timeColumn({
      id: 'created',
      header: words.created,
      at: ({ createdAt }) => createdAt,
      isSortable: true,
      width: '10rem',
      isMinor: true,
    }),
  ];
};

type Editing = { readonly cluster?: Cluster } | null;

const none: readonly Cluster[] = [];
const rowId = ({ id }: Cluster) => id;
const search = ({ name, description }: Cluster) => `${name} ${description}`;

export const Page = () => {
  const words = useWords(clustersWords);
  const can = useCan();
  const { values } = useSearchState();
  const [editing, setEditing] = useState<Editing>(null);
  const archived = values.archived === 'true' ? 'true' : 'false';
  const clusters = useRead(clustersHttp.list, { query: { archived } });
  const servers = useRead(gameServersHttp.list, {});
  const { rows = none, maxClusters = null } = clusters.data ?? {};
  const columns = useMemo(() => clusterColumns(words, servers.data?.rows), [words, servers.data?.rows]);
  const filters = useMemo(
    () => [{ id: 'archived', label: words.state, options: [{ value: 'true', label: words.all }] }],
    [words],
  );
  const used = rows.filter(({ archivedAt }) => archivedAt === null).length;

  const mayChange = can('servers.write');
  const create = mayChange && <AddButton onClick={() => setEditing({})}>{words.create}</AddButton>;
  return (
    <Frame
      title={words.title}
      description={
        <>
          <Text inherit>{words.description}</Text>
          {/* The line reserves its height before its text is known, so that the list below does not move. */}
          {(clusters.isPending || maxClusters !== null) && (
            <Text inherit>{maxClusters === null ? '\u00a0' : words.limit(used, maxClusters)}</Text>
          )}
        </>
      }
      actions={create}
    >
      {clusters.error && !clusters.data ? (
        <Trouble error={clusters.error} onRetry={() => clusters.refetch()} />
      ) : (
        <DataList
          name="clusters"
          label={words.title}
          rows={rows}
          rowId={rowId}
          isLoading={clusters.isPending}
          search={search}
          filters={filters}
          columns={columns}
          {...(mayChange && {
            onOpen: (cluster: Cluster) => setEditing({ cluster }),
            bulk: [
              {
                label: words.archive,
                icon: <IconArchive size={16} aria-hidden />,
                isDestructive: true,
                question: (chosen: readonly Cluster[]) => words.archiveMany(chosen.length),
                isFor: ({ archivedAt }: Cluster) => archivedAt === null,
                run: ({ id }: Cluster) => sendChange(clustersHttp.archive, { params: { id } }),
                nameOf: ({ name }: Cluster) => name,
              },
              {
                label: words.restore,
                icon: <IconArchiveOff size={16} aria-hidden />,
                isFor: ({ archivedAt }: Cluster) => archivedAt !== null,
                run: ({ id }: Cluster) => sendChange(clustersHttp.restore, { params: { id } }),
                nameOf: ({ name }: Cluster) => name,
              },
            ],
          })}
          empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
        />
      )}
      {editing && (
        <ClusterForm
          {...editing}
          newest={rows.find(({ id }) => id === editing.cluster?.id)}
          onClose={() => setEditing(null)}
        />
      )}
    </Frame>
  );
};
