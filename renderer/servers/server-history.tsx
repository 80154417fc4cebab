import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { type CommandOutcome, commandOutcomes } from '#contracts/servers/games.ts';
import { useCan, useMe } from '../kit/access/access-state.ts';
import { usePagedRead } from '../kit/api/queries.ts';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { Facts } from '../kit/design/facts.tsx';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { Trouble } from '../kit/design/trouble.tsx';
import { useReturnFocus } from '../kit/design/use-return-focus.ts';
import { useFormat } from '../kit/language/use-format.ts';
import { useWords } from '../kit/language/use-words.ts';
import { DataList } from '../kit/lists/data-list.tsx';
import { timeColumn } from '../kit/lists/time-column.tsx';
import { goTo } from '../kit/routing/use-hash-location.ts';
import { useSearchState } from '../kit/routing/use-search-state.ts';
import { ReplyText } from './console/reply-text.tsx';
import { setDraft } from './drafts.ts';
import { RevisedNote } from './game-servers/revised-note.tsx';
import { EntryOutcome, outcomeText } from './outcome-label.tsx';
import { outcomesWords } from './outcomes.words.ts';
import { plainText } from './plain-text.ts';
import { serverPageWords } from './server-page.words.ts';

const isOutcome = (text: string): text is CommandOutcome =>
  (commandOutcomes as readonly string[]).includes(text);

/** Every command sent to a server, with its result. */
export const ServerHistory = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverPageWords).history;
  const outcomes = useWords(outcomesWords);
  const format = useFormat();
  const me = useMe();
  const { values } = useSearchState();
  const [opened, setOpened] = useState<ConsoleEntry | null>(null);
  const { outcome = '', who = '', q = '' } = values;
  const text = q.trim().slice(0, 200);
  const history = usePagedRead(consoleHttp.history, {
    query: {
      serverId: server.id,
      ...(isOutcome(outcome) && { outcome }),
      ...(who !== '' && { actor: who === 'me' ? `${me.kind}:${me.id}` : who }),
      ...(text !== '' && { text }),
    },
  });
  // An entry that was opened while it ran ends there, too.
  const open = opened && (history.rows.find(({ id }) => id === opened.id) ?? opened);
  const { kinds } = words;
  const whoOf = ({ actor }: ConsoleEntry) =>
    actor.name ?? Object.entries(kinds).find(([kind]) => kind === actor.kind)?.[1] ?? actor.kind;
  const outcomeOf = (entry: ConsoleEntry) =>
    outcomeText({ outcome: entry.outcome, isGameError: entry.gameError === true }, outcomes);
  return (
    <>
      {history.error && history.rows.length === 0 && (
        <Trouble error={history.error} onRetry={history.reload} />
      )}
      <DataList
        name="console-history"
        label={words.label}
        rows={history.rows}
        rowId={({ id }) => id}
        isLoading={history.isPending}
        more={history}
        search="api"
        onOpen={setOpened}
        filters={[
          {
            id: 'outcome',
            label: words.outcome,
            options: commandOutcomes.map((value) => ({ value, label: outcomes.outcomes[value] })),
          },
          {
            id: 'who',
            label: words.who,
            options: [
              { value: 'me', label: words.me },
              ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
            ],
          },
        ]}
        columns={[
          {
            id: 'command',
            header: words.command,
            cell: ({ command }) => (
              <Text ff="monospace" size="sm" truncate span>
                <bdi>{plainText(command)}</bdi>
              </Text>
            ),
            text: ({ command }) => command,
            width: 'minmax(12rem, 3fr)',
          },
          {
            id: 'outcome',
            header: words.outcome,
            cell: (entry) => <EntryOutcome entry={entry} />,
            text: outcomeOf,
            width: 'minmax(10rem, 1fr)',
          },
          {
            id: 'who',
            header: words.who,
            cell: (entry) => <bdi>{whoOf(entry)}</bdi>,
            text: whoOf,
            width: 'minmax(7rem, 1fr)',
          },
          {
            id: 'took',
            header: words.took,
            cell: ({ durationMs }) => (durationMs === null ? '' : format.milliseconds(durationMs)),
            text: ({ durationMs }) => String(durationMs ?? ''),
            width: '6rem',
            align: 'end',
            isMinor: true,
          },
          timeColumn<ConsoleEntry>({ id: 'at', header: words.at, at: ({ at }) => at, width: '9rem' }),
        ]}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {open && <EntryDialog server={server} entry={open} who={whoOf(open)} onClose={() => setOpened(null)} />}
    </>
  );
};

const EntryDialog = (props: {
  readonly server: GameServer;
  readonly entry: ConsoleEntry;
  readonly who: string;
  readonly onClose: () => void;
}) => {
  const { server, entry, who, onClose } = props;
  useReturnFocus();
  const words = useWords(serverPageWords).history;
  const outcomes = useWords(outcomesWords);
  const format = useFormat();
  const can = useCan();
  const { command, outcome, reply, truncated, durationMs, at, revised, sale } = entry;
  const mayRepeat = can('console.write', server.id) && !server.archivedAt;
  const repeat = () => {
    setDraft(server.id, command);
    goTo(`/servers/${encodeURIComponent(server.id)}/console`);
  };
  return (
    <Modal opened onClose={onClose} title={words.detail} size="xl">
      <Stack>
        <Text ff="monospace" fw={600}>
          <bdi>{plainText(command)}</bdi>
        </Text>
        <Facts
          facts={[
            { label: words.outcome, value: <EntryOutcome entry={entry} /> },
            { label: words.who, value: <bdi>{who}</bdi> },
            { label: words.exact, value: format.exact(at) },
            ...(durationMs === null ? [] : [{ label: words.took, value: format.milliseconds(durationMs) }]),
            ...(sale
              ? [
                  {
                    label: words.order,
                    value: (
                      <Group gap="xs">
                        <PanelLink to={`/orders/${sale.orderId}`}>{words.openOrder}</PanelLink>
                        <PanelLink to={`/store/${sale.productId}`}>{words.openProduct}</PanelLink>
                      </Group>
                    ),
                  },
                  { label: words.approvedBy, value: <bdi>{sale.approvedBy ?? words.approvedBefore}</bdi> },
                ]
              : []),
          ]}
        />
        <RevisedNote revised={revised} />
        {outcome === 'answered' && <ReplyText reply={reply ?? ''} isTruncated={truncated} />}
        {outcome !== null && outcome !== 'answered' && (
          <>
            <Text>{outcomes.remedies[outcome]}</Text>
            {reply && (
              <Text size="sm" c="dimmed">
                <bdi>{plainText(reply)}</bdi>
              </Text>
            )}
          </>
        )}
        {mayRepeat && (
          <Group justify="flex-end">
            <Button onClick={repeat}>{words.repeat}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
};
