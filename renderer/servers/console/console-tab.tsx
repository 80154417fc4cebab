import { ActionIcon, Alert, Group, Menu, Modal, MultiSelect, Stack, Text, Tooltip } from '@mantine/core';
import { IconBookmark, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type ConsoleEntry, consoleHttp, type SavedCommand } from '#contracts/servers/console.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useLiveState } from '../../kit/api/live.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { setDraft, useDraft } from '../drafts.ts';
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
import { EarlierLines } from './earlier-lines.tsx';
import { SavedCommandForm, type SavedCommandStart } from './saved-command-form.tsx';
import { useShownFeed } from './use-shown-feed.ts';

/** Saved commands: the full list, to add, change and delete them. */
const SavedCommandsDialog = (props: {
  readonly saved: readonly SavedCommand[];
  /** Opens with a form for a new one; null: with the list. */
  readonly start: SavedCommandStart | null;
  readonly onClose: () => void;
}) => {
  const { saved, start, onClose } = props;
  useReturnFocus();
  const words = useWords(consoleWords).saved;
  const [form, setForm] = useState(start);
  const [leaving, setLeaving] = useState<SavedCommand | null>(null);
  const remove = useChange(consoleHttp.removeSavedCommand, [consoleHttp.savedCommands]);
  const leaveForm = () => (start ? onClose() : setForm(null));
  if (form) {
    const newest = saved.find(({ id }) => id === form.of?.id);
    return <SavedCommandForm start={form} newest={newest} onDone={leaveForm} />;
  }
  if (leaving)
    return (
      <ConfirmAction
        title={words.removeQuestion(leaving.name)}
        act={words.remove}
        onAction={() => remove.mutateAsync({ params: { id: leaving.id } })}
        onClose={() => setLeaving(null)}
      >
        {words.removeText}
      </ConfirmAction>
    );
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <Stack>
        <Text c="dimmed" size="sm">
          {saved.length === 0 ? words.empty : words.text}
        </Text>
        {saved.map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap" gap="xs">
            <div>
              <Text fw={600}>
                <bdi>{one.name}</bdi>{' '}
                <Text span c="dimmed" size="sm">
                  {one.game === null ? words.everyGame : games[one.game].name}
                </Text>
              </Text>
              <Text size="sm" ff="monospace">
                <bdi>{one.command}</bdi>
              </Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              <Tooltip label={words.edit}>
                <ActionIcon
                  variant="default"
                  aria-label={`${words.edit}: ${one.name}`}
                  onClick={() => setForm({ of: one })}
                >
                  <IconPencil size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={words.remove}>
                <ActionIcon
                  variant="default"
                  aria-label={`${words.remove}: ${one.name}`}
                  onClick={() => setLeaving(one)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
        ))}
        <Group justify="flex-end">
          <AddButton onClick={() => setForm({})}>{words.add}</AddButton>
        </Group>
      </Stack>
    </Modal>
  );
};

/** The saved commands, to put into the line. */
const SavedMenu = (props: {
  readonly saved: readonly SavedCommand[];
  readonly game: GameId;
  readonly typed: string;
  /** They are shared by everyone: a person with only one server may pick them, but not change them. */
  readonly mayChange: boolean;
  readonly onPick: (command: string) => void;
  readonly onManage: () => void;
  readonly onSave: () => void;
}) => {
  const { saved, game, typed, mayChange, onPick, onManage, onSave } = props;
  const words = useWords(consoleWords);
  const fitting = saved.filter((one) => one.game === null || one.game === game);
  return (
    <Menu position="top-start" width={280} withInitialFocusPlaceholder={false}>
      {/* Around the target: inside it, it would hide from the button that it opens a menu. */}
      <Tooltip label={words.savedCommands}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.savedCommands}>
            <IconBookmark size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
        {fitting.length === 0 && <Menu.Label>{words.noSaved}</Menu.Label>}
        {fitting.map(({ id, name, command }) => (
          <Menu.Item key={id} onClick={() => onPick(command)}>
            <bdi>{name}</bdi>
            <Text size="xs" c="dimmed" ff="monospace" lineClamp={1}>
              <bdi>{command}</bdi>
            </Text>
          </Menu.Item>
        ))}
        {mayChange && (
          <>
            <Menu.Divider />
            {typed.trim() !== '' && (
              <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onSave}>
                {words.saveThis}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onManage}>
              {words.manageSaved}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

export const ConsoleTab = (
  props: ServerConsole & {
    readonly server: GameServer;
  },
) => {
  const { server, feed, sender, isReading } = props;
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
