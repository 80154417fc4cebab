import { Text } from '@mantine/core';
import { memo } from 'react';
import type { ConsoleEntry } from '#contracts/console.ts';
import type { Format } from '#contracts/format.ts';
import { OutcomeLabel } from '../../../game-servers/outcome-label.tsx';
import { outcomesWords } from '../../../game-servers/outcomes.words.ts';
import { plainText } from '../../../game-servers/plain-text.ts';
import { RevisedNote } from '../../../game-servers/revised-note.tsx';
import { useWords } from '../../../language/use-words.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';
import type { FeedItem } from './console-feed.ts';
import { ReplyText } from './reply-text.tsx';

interface EntryRowProps extends Pick<FeedRowProps, 'serverName' | 'format'> {
  readonly entry: ConsoleEntry;
}

const EntryRow = ({ entry, serverName, format }: EntryRowProps) => {
  const words = useWords(consoleWords);
  const outcomes = useWords(outcomesWords);
  const { command, actor, outcome, reply, durationMs, truncated, revised } = entry;
  return (
    <div className={classes.entry}>
      <div className={classes.entryHead}>
        {serverName !== null && <bdi className={classes.target}>{serverName}</bdi>}
        <span className={classes.command}>
          <span aria-hidden className={classes.prompt}>
            ❯{' '}
          </span>
          <bdi>{plainText(command)}</bdi>
        </span>
        <span className={classes.facts}>
          <OutcomeLabel outcome={outcome} />
          {durationMs !== null && <span>{format.milliseconds(durationMs)}</span>}
          <bdi>{words.by(actor.name ?? words.unknownActor)}</bdi>
        </span>
      </div>
      {outcome === 'answered' && <ReplyText reply={reply ?? ''} isTruncated={truncated} />}
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
  );
};

export interface FeedRowProps {
  readonly item: FeedItem;
  readonly showsTime: boolean;
  /** Where a command was sent to, unless that is the server on this page. */
  readonly serverName: string | null;
  /** Of the whole view: making one costs more than a row. */
  readonly format: Format;
}

/** One thing that happened on a console; drawn again only when it changes, since the view is at each measured row. */
export const FeedRow = memo(({ item, showsTime, serverName, format }: FeedRowProps) => {
  const words = useWords(consoleWords);
  return (
    <div className={classes.row}>
      {showsTime && (
        <time className={classes.time} dateTime={item.at}>
          {format.time(item.at)}
        </time>
      )}
      {item.kind === 'line' && <bdi className={classes.text}>{plainText(item.text)}</bdi>}
      {item.kind === 'entry' && <EntryRow entry={item.entry} serverName={serverName} format={format} />}
      {item.kind === 'skipped' && <span className={classes.note}>{words.skipped(item.count)}</span>}
      {item.kind === 'gap' && <span className={classes.note}>{words.gap}</span>}
    </div>
  );
});
