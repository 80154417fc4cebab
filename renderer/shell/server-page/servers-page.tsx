import { Alert, Button, Group, Stack } from '@mantine/core';
import { Route, Switch } from 'wouter';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { ApiProblem } from '../../kit/api/api-problem.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { DetailTabs } from '../../kit/design/detail-tabs.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { LoadingDetail } from '../../kit/design/loading-shapes.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { ModsTab } from '../../mods/server-mods/mods-tab.tsx';
import { PlayersTab } from '../../people/server-players/players-tab.tsx';
import { ConsoleTab } from '../../servers/console/console-tab.tsx';
import { useLiveStatuses } from '../../servers/game-servers/use-live-statuses.ts';
import { ServerOverview } from '../../servers/overview/server-overview.tsx';
import { usePower } from '../../servers/power/use-power.ts';
import { SavesTab } from '../../servers/saves/saves-tab.tsx';
import { ServerHeader } from '../../servers/server-header.tsx';
import { ServerHistory } from '../../servers/server-history.tsx';
import { ServerList } from '../../servers/server-list.tsx';
import { serverPageWords } from '../../servers/server-page.words.ts';
import { useEdit } from '../../servers/settings/server-edits.ts';
import { SettingsTab } from '../../servers/settings/settings-tab.tsx';
import { useServerConsole } from '../../servers/use-server-console.ts';

const tabs = {
  overview: ['servers.read'],
  console: ['console.read'],
  players: ['players.read'],
  saves: ['saves.read'],
  mods: ['mods.read'],
  history: ['console.read'],
  settings: ['servers.write', 'agents.write'],
} as const satisfies Record<string, readonly Permission[]>;
type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as Tab[];
/** An unknown tab in a mangled address means the first one. */
const tabOf = (text: string): Tab => tabNames.find((name) => name === text) ?? 'overview';
/** A link to a missing tab still opens it, and it says why it is empty. */
const hasTab = ({ game }: GameServer, tab: Tab) => tab !== 'mods' || games[game].hasMods;
const maySee = (can: ReturnType<typeof useCan>, tab: Tab, serverId: string) =>
  tabs[tab].some((permission) => can(permission, serverId));

/** Its status arrives live; a new name or archiving does not. */
const rereadMs = 10_000;

/** One server, in tabs. */
const ServerPage = ({ id, tab }: { readonly id: string; readonly tab: string }) => {
  useLiveStatuses();
  const words = useWords(serverPageWords);
  const server = useRead(gameServersHttp.read, { params: { id } }, { everyMs: rereadMs });
  if (server.error instanceof ApiProblem && ['NOT_FOUND', 'FORBIDDEN'].includes(server.error.code ?? ''))
    return (
      <Frame title={words.gone}>
        <EmptyState
          title={words.gone}
          text={words.goneText}
          action={<PanelLink to="/servers">{words.back}</PanelLink>}
        />
      </Frame>
    );
  if (!server.data)
    return (
      <AsyncContent read={server} loading={<LoadingDetail tabs={6} />}>
        {() => null}
      </AsyncContent>
    );
  return <Parts server={server.data} shown={tabOf(tab)} />;
};

const Parts = ({ server, shown }: { readonly server: GameServer; readonly shown: Tab }) => {
  const words = useWords(serverPageWords);
  const can = useCan();
  const { id, archivedAt, status } = server;
  const mayRead = can('console.read', id);
  const serverConsole = useServerConsole(server, mayRead, shown === 'console');
  const edit = useEdit(id);
  const power = usePower(server);
  const restore = useChange(gameServersHttp.restore, [gameServersHttp.read, gameServersHttp.list]);
  const address = (name: Tab) => `/servers/${encodeURIComponent(id)}${name === 'overview' ? '' : `/${name}`}`;
  const refused = maySee(can, shown, id) ? null : tabs[shown][0];
  const content = {
    overview: () => <ServerOverview server={server} power={power} />,
    console: () => <ConsoleTab server={server} {...serverConsole} />,
    players: () => <PlayersTab server={server} />,
    saves: () => <SavesTab server={server} />,
    mods: () => <ModsTab server={server} />,
    history: () => <ServerHistory server={server} />,
    settings: () => <SettingsTab server={server} />,
  };
  return (
    <Stack gap="md" maw="var(--content-width)">
      <ServerHeader
        server={server}
        power={power.data}
        {...(shown !== 'overview' && { part: words.tabs[shown] })}
      />
      {archivedAt && (
        <Alert color="var(--tone-idle)" variant="outline">
          <Group justify="space-between">
            {words.archivedNote}
            {can('servers.write', id) && (
              <Button
                size="xs"
                variant="default"
                loading={restore.isPending}
                onClick={() => restore.mutate({ params: { id } })}
              >
                {words.restore}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {restore.error && <Trouble error={restore.error} />}
      <DetailTabs
        label={words.sections}
        shown={shown}
        onShow={(name) => goTo(address(name))}
        tabs={tabNames
          .filter((name) => name === shown || (maySee(can, name, id) && hasTab(server, name)))
          .map((name) => ({
            name,
            label: name === 'settings' && edit ? words.unsavedSettings : words.tabs[name],
            ...(name === 'players' && { count: status.players }),
          }))}
      >
        {refused ? <EmptyState title={words.noTab} text={words.noTabText(refused)} /> : content[shown]()}
      </DetailTabs>
    </Stack>
  );
};

export const Page = () => (
  <Switch>
    <Route path="/servers/:id/:tab?">
      {({ id, tab }) => <ServerPage key={id} id={id} tab={tab ?? 'overview'} />}
    </Route>
    <Route>
      <ServerList />
    </Route>
  </Switch>
);
