import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type TimelineEntry, type TimelineKind, timelineKinds } from '#contracts/people/timelines.ts';
import { useCan } from '../../kit/access/access-state.ts';
import type { Can } from '../../kit/access/can.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Ghost } from '../../kit/design/ghost.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { newCount } from '../../kit/records/record-window.ts';
import { recordsWords } from '../../kit/records/records.words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { outcomeText } from '../../servers/outcome-label.tsx';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { MemberLink } from '../../store/member-link.tsx';
import { usePoints } from '../../store/use-points.ts';
import { EntryTime } from './entry-time.tsx';
import { foldEntries, type ShownEntry } from './fold-entries.ts';
import { type EntryTeller, tellEntry } from './tell-entry.ts';
import classes from './timeline.module.css';
import { timelineWords } from './timeline.words.ts';
import { type TimelineOf, useTimeline } from './use-timeline.ts';

const TimelineEntries = (
  props: Pick<EntryTeller, 'serverName' | 'playerName'> & {
    readonly entries: readonly TimelineEntry[];
  },
) => {
  const { entries, serverName, playerName } = props;
  const words = useWords(timelineWords);
  const outcomes = useWords(outcomesWords);
  const format = useFormat();
  const { points } = usePoints();
  const teller: EntryTeller = {
    words,
    format,
    points,
    serverName,
    playerName,
    outcome: (outcome, isGameError) => outcomeText({ outcome, isGameError }, outcomes),
  };
  return (
    <ol className={classes.entries} aria-label={words.title}>
      {foldEntries(entries).map((entry) => (
        <Entry key={entry.id} entry={entry} teller={teller} />
      ))}
    </ol>
  );
};

const Entry = ({ entry, teller }: { readonly entry: ShownEntry; readonly teller: EntryTeller }) => {
  const can = useCan();
  const { tone, sentence, details, to, member } = tellEntry(entry, teller);
  // Refunds are shown to readers who may see points, and their page is the page of an order.
  const isLinked = to !== undefined && (!/^\/(orders|deliveries)\//.test(to) || can('orders.read'));
  return (
    <li className={classes.entry} data-is-chat={entry.type === 'said' || undefined}>
      <span className={classes.ring} data-tone={tone} aria-hidden />
      <div className={classes.sentence} dir="auto">
        {isLinked ? <PanelLink to={to}>{sentence}</PanelLink> : sentence}
      </div>
      <div className={classes.details}>
        {details.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a note can read like another detail, and none of them moves
          <span key={index}>
            <bdi>{text}</bdi>
            {' · '}
          </span>
        ))}
        {member && (
          <>
            {member.says} <MemberLink id={member.id} name="" />
            {' · '}
          </>
        )}
        <EntryTime at={entry.at} />
      </div>
    </li>
  );
};

const shapes = 6;

/** A placeholder for the entries. */
const TimelineShape = () => {
  const words = useWords(designWords);
  return (
    <div role="status">
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      {Array.from({ length: shapes }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike and never move
        <div key={index} className={classes.shape} aria-hidden>
          <Ghost height={14} width={`${60 - (index % 3) * 12}%`} />
          <Ghost height={10} width="30%" />
        </div>
      ))}
    </div>
  );
};

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

/** What happened to a person, the newest first. New entries wait, so that nothing moves while someone is reading. */
export const Timeline = (
  props: Pick<EntryTeller, 'serverName' | 'playerName'> & {
    readonly of: TimelineOf;
  },
) => {
  const { of, serverName, playerName } = props;
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
