import { Alert, Button, Group, Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { ServerStateSentence } from '../../game-servers/server-state.tsx';
import { useLiveStatuses } from '../../game-servers/use-live-statuses.ts';
import { useWords } from '../../language/use-words.ts';
import { goTo } from '../../routing/use-hash-location.ts';
import { ApiProblem } from '../../wire/api-problem.ts';
import { useLiveState } from '../../wire/live.ts';
import { useChange, useRead } from '../../wire/queries.ts';
import { ConsoleTab } from './console/console-tab.tsx';
import { ModsTab } from './mods/mods-tab.tsx';
import { PlayersTab } from './players/players-tab.tsx';
import { SavesTab } from './saves/saves-tab.tsx';
import { ServerHistory } from './server-history.tsx';
import { ServerOverview } from './server-overview.tsx';
import { serverPageWords } from './server-page.words.ts';
import classes from './server-tabs.module.css';
import { useEdit } from './settings/server-edits.ts';
import { SettingsTab } from './settings/settings-tab.tsx';
import { useServerConsole } from './use-server-console.ts';

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
/** An unknown one in a mangled address is the first. */
const tabOf = (text: string): Tab => tabNames.find((name) => name === text) ?? 'overview';
const maySee = (can: ReturnType<typeof useCan>, tab: Tab, serverId: string) =>
  tabs[tab].some((permission) => can(permission, serverId));

/** Its status comes live; that somebody renamed or archived it does not. */
const rereadMs = 10_000;

export interface ServerPageProps {
  readonly id: string;
  readonly tab: string;
}

/** One server, in parts. */
export const ServerPage = ({ id, tab }: ServerPageProps) => {
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
  return (
    <Frame
      title={server.data?.name ?? '…'}
      {...(tabOf(tab) !== 'overview' && { part: words.tabs[tabOf(tab)] })}
      description={server.data && <Headline server={server.data} />}
      actions={<PanelLink to="/servers">{words.back}</PanelLink>}
    >
      <AsyncContent read={server}>{(known) => <Parts server={known} tab={tab} />}</AsyncContent>
    </Frame>
  );
};

const Headline = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverPageWords);
  const isAway = useLiveState() === 'away';
  const { since } = server.status;
  return (
    <Group gap="xs" role="status">
      {isAway && <span>{words.stateFrom}</span>}
      <ServerStateSentence server={server} />
      {since && !server.archivedAt && (
        <span>
          {words.since} <TimeAgo at={since} />
        </span>
      )}
    </Group>
  );
};

const Parts = ({ server, tab }: { readonly server: GameServer; readonly tab: string }) => {
  const words = useWords(serverPageWords);
  const can = useCan();
  const { id } = server;
  const { feed, sender } = useServerConsole(server, can('console.read', id));
  const edit = useEdit(id);
  const restore = useChange(gameServersHttp.restore, [gameServersHttp.read, gameServersHttp.list]);
  const shown = tabOf(tab);
  const list = useRef<HTMLDivElement>(null);
  // A link may lead to a tab that is out of sight in a narrow list; the page itself stays where it is.
  useEffect(() => {
    const { current } = list;
    const chosen = current?.querySelector(`[data-tab="${shown}"]`);
    if (!current || !chosen) return;
    const frame = current.getBoundingClientRect();
    const box = chosen.getBoundingClientRect();
    current.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
  }, [shown]);
  const address = (name: string) =>
    `/servers/${encodeURIComponent(id)}${name === 'overview' ? '' : `/${name}`}`;
  const refused = maySee(can, shown, id) ? null : tabs[shown][0];
  const content = {
    overview: () => <ServerOverview server={server} />,
    console: () => <ConsoleTab server={server} feed={feed} sender={sender} />,
    players: () => <PlayersTab server={server} />,
    saves: () => <SavesTab server={server} />,
    mods: () => <ModsTab server={server} />,
    history: () => <ServerHistory server={server} />,
    settings: () => <SettingsTab server={server} />,
  };
  return (
    <>
      {server.archivedAt && (
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
      <Tabs
        value={shown}
        onChange={(name) => name && goTo(address(name))}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List ref={list} aria-label={words.sections} mb="md" className={classes.list}>
          {tabNames
            .filter((name) => name === shown || maySee(can, name, id))
            .map((name) => (
              <Tabs.Tab key={name} value={name} data-tab={name}>
                {name === 'settings' && edit ? words.unsavedSettings : words.tabs[name]}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        {tabNames.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {refused ? <EmptyState title={words.noTab} text={words.noTabText(refused)} /> : content[name]()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
};
