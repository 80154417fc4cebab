import { Table, Text } from '@mantine/core';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Ghost } from '../../kit/design/ghost.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { useAgentChanges } from '../../servers/use-agent-changes.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { JobLabel } from '../mod-parts/job-view.tsx';
import classes from '../mod-parts/mod-rows.module.css';
import { modsPageWords } from './mods-page.words.ts';

/** The servers whose mods the reader may see, and whether they have updates. */
export const ServersCard = () => {
  const words = useWords(modsPageWords);
  const can = useCan();
  const read = useLiveServers();
  useAgentChanges(null, () => queryClient.invalidateQueries({ queryKey: readKey(modsHttp.read) }));
  return (
    <Card title={words.servers}>
      <AsyncContent read={read}>
        {({ rows }) => {
          const servers = rows.filter(({ id }) => can('mods.read', id));
          if (servers.length === 0)
            return (
              <EmptyState
                title={words.noServers}
                text={words.noServersText}
                action={<PanelLink to="/servers">{words.toServers}</PanelLink>}
              />
            );
          return (
            <Table aria-label={words.servers} verticalSpacing="xs" layout="fixed">
              <Table.Thead>
                <Table.Tr>
                  {/* Columns keep their width when a job's text is longer. */}
                  <Table.Th scope="col" w={{ base: 'auto', sm: '45%' }}>
                    {words.server}
                  </Table.Th>
                  <Table.Th scope="col" ta="end" w="4rem">
                    {words.mods}
                  </Table.Th>
                  <Table.Th scope="col" ta="end" w="7.5rem">
                    {words.updates}
                  </Table.Th>
                  <Table.Th scope="col" ta="end" visibleFrom="sm" w="5.5rem">
                    {words.pins}
                  </Table.Th>
                  <Table.Th scope="col" visibleFrom="sm">
                    {words.lastJob}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {servers.map((server) => (
                  <Row key={server.id} server={server} />
                ))}
              </Table.Tbody>
            </Table>
          );
        }}
      </AsyncContent>
    </Card>
  );
};

const Row = ({ server: { id, name } }: { readonly server: GameServer }) => {
  const words = useWords(modsPageWords);
  const language = useLanguage();
  const format = useFormat();
  const { data, error } = useRead(modsHttp.read, { params: { serverId: id } }, { everyMs: pollMs.seldom });
  const list = data?.list ?? null;
  const job = data?.job ?? data?.lastJob ?? null;
  const figure = (count: (installed: NonNullable<typeof list>['installed']) => number) =>
    list ? format.number(count(list.installed)) : data || error ? words.none : <Ghost height={16} />;
  return (
    <Table.Tr>
      <Table.Td>
        <PanelLink to={`/servers/${encodeURIComponent(id)}/mods`}>
          <bdi>{name}</bdi>
        </PanelLink>
        {job && (
          <Text size="sm" component="div" hiddenFrom="sm">
            <JobLabel job={job} />
          </Text>
        )}
        {data?.obstacle && (
          <Text size="sm" component="div">
            <StateLabel tone="warn">{problemTexts(data.obstacle, language).title}</StateLabel>
          </Text>
        )}
        {error && (
          <Text size="sm" component="div">
            <StateLabel tone="warn">{words.unknown}</StateLabel>
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">{figure((installed) => installed.length)}</Table.Td>
      <Table.Td ta="end">
        {figure((installed) => installed.filter(({ update, pin }) => update && !pin).length)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {figure((installed) => installed.filter(({ pin }) => pin).length)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <div className={classes.jobCell}>
          {job ? (
            <>
              <JobLabel job={job} />
              <Text size="sm" c="dimmed" component="div">
                <TimeAgo at={job.endedAt ?? job.requestedAt} />
              </Text>
            </>
          ) : data || error ? (
            words.none
          ) : (
            <Ghost height={16} />
          )}
        </div>
      </Table.Td>
    </Table.Tr>
  );
};
