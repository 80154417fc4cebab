import { VisuallyHidden } from '@mantine/core';
import type { TimelineEntry } from '#contracts/people/timelines.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { Ghost } from '../../kit/design/ghost.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { outcomeText } from '../../servers/outcome-label.tsx';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { MemberLink } from '../../store/member-link.tsx';
import { usePoints } from '../../store/use-points.ts';
import { EntryTime } from './entry-time.tsx';
import { foldEntries, type ShownEntry } from './fold-entries.ts';
import { type EntryTeller, tellEntry } from './tell-entry.ts';
import classes from './timeline.module.css';
import { timelineWords } from './timeline.words.ts';

interface TimelineEntriesProps extends Pick<EntryTeller, 'serverName' | 'playerName'> {
  readonly entries: readonly TimelineEntry[];
}

export const TimelineEntries = ({ entries, serverName, playerName }: TimelineEntriesProps) => {
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
export const TimelineShape = () => {
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
