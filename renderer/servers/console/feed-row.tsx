import { Text, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { ToneSign } from '../../kit/design/state-label.tsx';
import { useTimeZone } from '../../kit/language/time-zone.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { wallTime } from '../../kit/language/wall-clock.ts';
import { RevisedNote } from '../game-servers/revised-note.tsx';
import { OutcomeLabel } from '../outcome-label.tsx';
import { outcomesWords } from '../outcomes.words.ts';
import { plainText } from '../plain-text.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';
import type { FeedItem } from './console-feed.ts';
import { ReplyText } from './reply-text.tsx';

/** The time of day, in the same eight characters in every language. @param zone undefined: the time zone of this device */
const clockTime = (iso: string, zone: string | undefined): string => {
  const { hour, minute, second } = wallTime(new Date(iso), zone);
  return [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
};

interface EntryRowProps extends Pick<FeedRowProps, 'showsTime' | 'serverName' | 'format'> {
  readonly entry: ConsoleEntry;
}

/** A command in a highlighted row, and the game's reply below it. */
const EntryRow = ({ entry, showsTime, serverName, format }: EntryRowProps) => {
  const words = useWords(consoleWords);
  const outcomes = useWords(outcomesWords);
  const { command, actor, outcome, reply, gameError, durationMs, truncated, revised, at } = entry;
  return (
    <div className={classes.entry}>
      <div className={classes.entryHead}>
        {showsTime && <Time at={at} format={format} />}
        {serverName !== null && <bdi className={classes.target}>{serverName}</bdi>}
        <bdi className={classes.command}>{plainText(command)}</bdi>
        <span className={classes.facts}>
          {outcome !== 'answered' && <OutcomeLabel outcome={outcome} isGameError={false} />}
          <span>
            <bdi>{actor.name ?? words.unknownActor}</bdi>
            {durationMs !== null && ` · ${format.milliseconds(durationMs)}`}
          </span>
        </span>
      </div>
      <div className={showsTime ? classes.besideTimes : classes.answer}>
        {outcome === 'answered' && gameError && (
          <div className={classes.gameError}>
            <ToneSign tone="bad" />
            <VisuallyHidden>{outcomes.gameError}: </VisuallyHidden>
            <ReplyText reply={reply ?? ''} isTruncated={truncated} />
          </div>
        )}
        {outcome === 'answered' && !gameError && <ReplyText reply={reply ?? ''} isTruncated={truncated} />}
        {outcome !== null && outcome !== 'answered' && (
          <div className={classes.remedy}>
            <Text size="sm">{outcomes.remedies[outcome]}</Text>
            {reply && (
              <Text size="sm" c="dimmed">
                <bdi>{plainText(reply)}</bdi>
              </Text>
            )}
          </div>
        )}
        <RevisedNote revised={revised} />
      </div>
    </div>
  );
};

const Time = ({ at, format }: { readonly at: string; readonly format: Format }) => (
  <time className={classes.time} dateTime={at} title={format.exact(at)}>
    {clockTime(at, useTimeZone())}
  </time>
);

interface FeedRowProps {
  readonly item: FeedItem;
  /** Beside each line; the game's own time is then left out of the line. */
  readonly showsTime: boolean;
  /** The server that a command was sent to, unless it is the one on this page. */
  readonly serverName: string | null;
  /** From the whole view: creating one costs more than a row. */
  readonly format: Format;
}

/** One item of a console; rendered again only when it changes, since the view renders at each measured row. */
export const FeedRow = memo(({ item, showsTime, serverName, format }: FeedRowProps) => {
  const words = useWords(consoleWords);
  if (item.kind === 'entry')
    return <EntryRow entry={item.entry} showsTime={showsTime} serverName={serverName} format={format} />;
  return (
    <div className={classes.row}>
      {showsTime && <Time at={item.at} format={format} />}
      {item.kind === 'line' && (
        <bdi className={classes.text} data-severity={item.severity}>
          {plainText(showsTime ? item.text.slice(item.stamp ?? 0) : item.text)}
        </bdi>
      )}
      {item.kind === 'skipped' && <span className={classes.note}>{words.skipped(item.count)}</span>}
      {item.kind === 'gap' && <span className={classes.note}>{words.gap}</span>}
    </div>
  );
});
