import { Button, Group, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type TimelineKind, timelineKinds } from '#contracts/people/timelines.ts';
import { useCan } from '../../kit/access/access-state.ts';
import type { Can } from '../../kit/access/can.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { newCount } from '../../kit/records/record-window.ts';
import { recordsWords } from '../../kit/records/records.words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import type { EntryTeller } from './tell-entry.ts';
import classes from './timeline.module.css';
import { timelineWords } from './timeline.words.ts';
import { TimelineEntries, TimelineShape } from './timeline-entries.tsx';
import { type TimelineOf, useTimeline } from './use-timeline.ts';

/** The kinds that the API shows to this person. */
const kindsFor = (can: Can): readonly TimelineKind[] => {
  const mayMembers = can('members.read');
  const isSeen: Readonly<Record<TimelineKind, boolean>> = {
    visits: true,
    chat: can('events.read'),
    moderation: true,
    store: mayMembers && can('orders.read'),
    points: mayMembers,
    accounts: mayMembers,
    staff: can('audit.read'),
  };
  return timelineKinds.filter((kind) => isSeen[kind]);
};

interface TimelineProps extends Pick<EntryTeller, 'serverName' | 'playerName'> {
  readonly of: TimelineOf;
}

/** What happened to a person, the newest first. New entries wait, so that nothing moves while someone is reading. */
export const Timeline = ({ of, serverName, playerName }: TimelineProps) => {
  const words = useWords(timelineWords);
  const general = useWords(recordsWords);
  const can = useCan();
  const { values, set } = useSearchState();
  const kinds = kindsFor(can);
  const shown = kinds.find((kind) => kind === values.kind) ?? null;
  const records = useTimeline(of, shown);
  const { window, error } = records;
  const count = window ? newCount(window) : 0;
  const choice = (kind: TimelineKind | null, label: string) => (
    <button
      key={label}
      type="button"
      className={classes.kind}
      aria-pressed={shown === kind}
      onClick={() => set({ kind: kind ?? '' })}
    >
      {label}
    </button>
  );
  return (
    <>
      <fieldset className={classes.kinds} aria-label={words.filter}>
        {choice(null, words.everything)}
        {kinds.map((kind) => choice(kind, words.kinds[kind]))}
      </fieldset>
      <div className={classes.new} role="status">
        {count > 0 && (
          <Button size="xs" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={records.showWaiting}>
            {general.newRows(count)}
          </Button>
        )}
      </div>
      {!window &&
        (error ? <Trouble error={error} onRetry={() => records.begin('newest')} /> : <TimelineShape />)}
      {window?.rows.length === 0 &&
        window.older === null &&
        (shown === null ? (
          <EmptyState title={words.empty} text={words.emptyText} />
        ) : (
          <Text c="dimmed">{words.noneOfKind}</Text>
        ))}
      {window && window.rows.length > 0 && (
        <TimelineEntries entries={window.rows} serverName={serverName} playerName={playerName} />
      )}
      {records.edgeError !== null && <Trouble error={records.edgeError} onRetry={records.tryAgain} />}
      {window && (
        <Group gap="xs" mt="sm">
          {window.older !== null && (
            <Button variant="default" size="xs" loading={records.isReading} onClick={records.loadOlder}>
              {words.more}
            </Button>
          )}
          {window.newer !== null && (
            <Button variant="default" size="xs" onClick={() => records.begin('newest')}>
              {general.toNewest}
            </Button>
          )}
        </Group>
      )}
    </>
  );
};
