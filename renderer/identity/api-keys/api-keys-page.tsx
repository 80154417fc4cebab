import { useState } from 'react';
import { type ApiKey, apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { apiKeysWords } from './api-keys.words.ts';
import { DesktopAccessCard } from './desktop-access-card.tsx';
import { KeyDetails } from './key-details.tsx';
import { keyState, keyTones } from './key-state.ts';
import { NewKey } from './new-key.tsx';
import { useCreatorName } from './use-creator-name.ts';

const revoke = ({ id }: ApiKey) => sendChange(apiKeysHttp.revoke, { params: { id } });

export const Page = () => {
  const words = useWords(apiKeysWords);
  const format = useFormat();
  const isWriter = useCan()('api-keys.write');
  const creatorName = useCreatorName();
  const [isMaking, setIsMaking] = useState(false);
  const [opened, setOpened] = useState<ApiKey | null>(null);
  const keys = useRead(apiKeysHttp.list, {});
  const stateText = (key: ApiKey) => words[keyState(key, serverNowMs())];

  const create = isWriter && <AddButton onClick={() => setIsMaking(true)}>{words.create}</AddButton>;
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <AsyncContent read={keys} loading={<Loading shape="list" />}>
        {({ rows }) => (
          <DataList
            name="api-keys"
            label={words.title}
            rows={rows}
            rowId={({ id }) => id}
            search={(row) => `${row.name} ${creatorName(row)}`}
            onOpen={setOpened}
            filters={[
              {
                id: 'state',
                label: words.state,
                options: (['valid', 'soon', 'expired'] as const).map((value) => ({
                  value,
                  label: words[value],
                })),
                matches: (row, value) => keyState(row, serverNowMs()) === value,
              },
            ]}
            columns={[
              {
                id: 'name',
                header: words.name,
                cell: ({ name }) => <bdi>{name}</bdi>,
                sortBy: ({ name }) => name,
                text: ({ name }) => name,
                width: 'minmax(7rem, 3fr)',
              },
              {
                id: 'state',
                header: words.state,
                cell: (row) => (
                  <StateLabel tone={keyTones[keyState(row, serverNowMs())]}>{stateText(row)}</StateLabel>
                ),
                sortBy: ({ expiresAt }) => expiresAt,
                text: stateText,
                width: '8.25rem',
              },
              {
                id: 'rights',
                header: words.rights,
                cell: (row) => format.number(row.permissions.length),
                sortBy: (row) => row.permissions.length,
                text: (row) => row.permissions.join(' '),
                width: '7.25rem',
                align: 'end',
                isMinor: true,
              },
              {
                id: 'servers',
                header: words.servers,
                cell: ({ serverIds }) =>
                  serverIds === null ? (
                    <span title={words.allServers}>{words.all}</span>
                  ) : (
                    words.serverCount(serverIds.length)
                  ),
                text: ({ serverIds }) => serverIds?.join(' ') ?? '',
                width: '6.5rem',
                isMinor: true,
              },
              {
                id: 'creator',
                header: words.creator,
                cell: (row) => <bdi>{creatorName(row)}</bdi>,
                sortBy: creatorName,
                text: creatorName,
                width: 'minmax(6.25rem, 1fr)',
                isMinor: true,
              },
              timeColumn<ApiKey>({
                id: 'expires',
                header: words.expires,
                at: ({ expiresAt }) => expiresAt,
                isSortable: true,
                width: '7.25rem',
              }),
              timeColumn<ApiKey>({
                id: 'lastUsed',
                header: words.lastUsed,
                at: ({ lastUsedAt }) => lastUsedAt,
                none: words.never,
                isSortable: true,
                width: '7.5rem',
                isMinor: true,
              }),
            ]}
            {...(isWriter && {
              bulk: [
                {
                  label: words.revoke,
                  isDestructive: true,
                  question: (chosen: readonly ApiKey[]) => words.revokeMany(chosen.length),
                  run: revoke,
                  nameOf: ({ name }: ApiKey) => name,
                },
              ],
            })}
            empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
          />
        )}
      </AsyncContent>
      <DesktopAccessCard />
      {isMaking && <NewKey onClose={() => setIsMaking(false)} />}
      {opened && <KeyDetails apiKey={opened} onClose={() => setOpened(null)} />}
    </Frame>
  );
};
