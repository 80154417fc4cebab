import { Alert, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ConsoleEntry, consoleHttp } from '#contracts/console.ts';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { useCan, useMe } from '../../../access/access-state.ts';
import { Trouble } from '../../../design/trouble.tsx';
import { useWords } from '../../../language/use-words.ts';
import { useLiveState } from '../../../wire/live.ts';
import { useRead } from '../../../wire/queries.ts';
import { PlayersNow } from '../overview/players-now.tsx';
import { ServerLoad } from '../overview/server-load.tsx';
import type { ServerConsole } from '../use-server-console.ts';
import { CommandInput } from './command-input.tsx';
import { recallable } from './completion.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';
import { useConsolePreferences } from './console-preferences.ts';
import { ConsoleToolbar } from './console-toolbar.tsx';
import { ConsoleView } from './console-view.tsx';
import { setDraft, useDraft } from './drafts.ts';
import { EarlierLines } from './earlier-lines.tsx';
import type { SavedCommandStart } from './saved-command-form.tsx';
import { SavedCommandsDialog } from './saved-commands-dialog.tsx';
import { SavedMenu } from './saved-menu.tsx';
import { useShownFeed } from './use-shown-feed.ts';

export interface ConsoleTabProps extends ServerConsole {
  readonly server: GameServer;
}

export const ConsoleTab = ({ server, feed, sender, isReading }: ConsoleTabProps) => {
  const words = useWords(consoleWords);
  const can = useCan();
  const me = useMe();
  const liveState = useLiveState();
  const { wraps, showsTimes } = useConsolePreferences();
  const shown = useShownFeed(feed);
  const typed = useDraft(server.id);
  const [showsEarlier, setShowsEarlier] = useState(false);
  const [others, setOthers] = useState<string[]>([]);
  const [dialog, setDialog] = useState<{ readonly start: SavedCommandStart | null } | null>(null);
  const saved = useRead(consoleHttp.savedCommands, {}).data?.rows ?? [];
  const own = useRead(consoleHttp.history, {
    query: { serverId: server.id, actor: `${me.kind}:${me.id}`, limit: 100 },
  }).data?.rows;
  const servers = useRead(gameServersHttp.list, {}).data?.rows ?? [];
  const targets = servers.filter(
    ({ id, archivedAt }) => id !== server.id && !archivedAt && can('console.write', id),
  );
  const serverName = ({ serverId }: ConsoleEntry) =>
    serverId === server.id ? null : (servers.find(({ id }) => id === serverId)?.name ?? serverId);

  const isOwn = ({ actor }: ConsoleEntry) => actor.kind === me.kind && actor.id === me.id;
  /** A command that was just sent is in the feed before it is in the history that was read. */
  const sent = feed.snapshot().items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
  const earlier = [...new Map([...(own ?? []), ...sent.filter(isOwn)].map((one) => [one.id, one])).values()]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map(({ command }) => command);

  const { sending } = sender;
  const chosen = others.filter((id) => targets.some((target) => target.id === id));
  const mayWrite = can('console.write', server.id);
  return (
    <div className={classes.layout}>
      <Stack gap="xs" miw={0}>
        {liveState === 'away' && (
          <Alert color="var(--tone-warn)" variant="outline" role="status">
            {words.away}
          </Alert>
        )}
        <ConsoleToolbar
          feed={shown}
          fileName={`console-${server.id}`}
          onEarlier={() => setShowsEarlier(true)}
        />
        {showsEarlier && <EarlierLines serverId={server.id} onClose={() => setShowsEarlier(false)} />}
        <div className={classes.box}>
          <ConsoleView
            items={shown.items}
            wraps={wraps}
            showsTimes={showsTimes}
            isReading={isReading}
            empty={shown.filter === '' ? words.empty : words.emptyFilter}
            follows={shown.follows}
            newLines={shown.newLines}
            onScrolledUp={shown.setScrolledUp}
            onGoToEnd={shown.goToEnd}
            serverName={serverName}
          />
          {mayWrite && !server.archivedAt && (
            <CommandInput
              serverId={server.id}
              game={server.game}
              saved={saved}
              earlier={recallable(earlier)}
              isBusy={sending?.state === 'asking' || sending?.state === 'unsure'}
              onSend={(command) => sender.send(command, [server.id, ...chosen])}
              onClear={shown.clear}
              savedMenu={
                <SavedMenu
                  saved={saved}
                  game={server.game}
                  typed={typed}
                  mayChange={can('console.write')}
                  onPick={(command) => setDraft(server.id, command)}
                  onManage={() => setDialog({ start: null })}
                  onSave={() => setDialog({ start: { command: typed.trim(), game: server.game } })}
                />
              }
            />
          )}
        </div>
        {!mayWrite && <Text c="dimmed">{words.readOnly}</Text>}
        {mayWrite && server.archivedAt && <Text c="dimmed">{words.archived}</Text>}
        {mayWrite && !server.archivedAt && (
          <>
            <div role="status">
              {sending?.state === 'asking' && <Text size="sm">{words.ask}</Text>}
              {sending?.state === 'unsure' && <Text size="sm">{words.unsure}</Text>}
              {sending?.state === 'lost' && <Text size="sm">{words.lost}</Text>}
            </div>
            {sending?.state === 'refused' && <Trouble error={sending.error} />}
            {targets.length > 0 && (
              <Group gap="xs" align="flex-end">
                <MultiSelect
                  flex={1}
                  label={words.alsoTo}
                  placeholder={chosen.length === 0 ? words.alsoToHint : ''}
                  data={targets.map(({ id, name }) => ({ value: id, label: name }))}
                  value={chosen}
                  onChange={setOthers}
                  searchable
                  clearable
                  hidePickedOptions
                  maxValues={99}
                />
                {chosen.length > 0 && (
                  <Text size="sm" c="dimmed" pb={8}>
                    {words.sendsTo(chosen.length + 1)}
                  </Text>
                )}
              </Group>
            )}
          </>
        )}
        {dialog && <SavedCommandsDialog saved={saved} {...dialog} onClose={() => setDialog(null)} />}
      </Stack>
      {server.archivedAt === null && (
        <div className={classes.aside}>
          <PlayersNow server={server} />
          <ServerLoad server={server} />
        </div>
      )}
    </div>
  );
};
