import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type UIEvent, useLayoutEffect, useRef } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { Ghost } from '../../kit/design/ghost.tsx';
import { ToneSign } from '../../kit/design/state-label.tsx';
import { useTimeZone } from '../../kit/language/time-zone.ts';
import { useFormat } from '../../kit/language/use-format.ts';
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

/** A command in a highlighted row, and the game's reply below it. */
const EntryRow = (props: {
  readonly showsTime: boolean;
  readonly serverName: string | null;
  readonly format: Format;
  readonly entry: ConsoleEntry;
}) => {
  const { entry, showsTime, serverName, format } = props;
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

/** One item of a console; rendered again only when it changes, since the view renders at each measured row. */
const FeedRow = memo(
  (props: {
    readonly item: FeedItem;
    /** Beside each line; the game's own time is then left out of the line. */
    readonly showsTime: boolean;
    /** The server that a command was sent to, unless it is the one on this page. */
    readonly serverName: string | null;
    /** From the whole view: creating one costs more than a row. */
    readonly format: Format;
  }) => {
    const { item, showsTime, serverName, format } = props;
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
  },
);

/** Pixels: the height of a line, and the distance from the end that counts as being there. */
const lineHeight = 20;
const nearEnd = 8;

/** The visible lines out of thousands; it stays at the end until the reader scrolls up. */
export const ConsoleView = (props: {
  readonly items: readonly FeedItem[];
  readonly wraps: boolean;
  readonly showsTimes: boolean;
  /** Earlier lines are still being read, so it is unknown whether there are any. */
  readonly isReading: boolean;
  readonly empty: string;
  /** Scrolls along as more lines come; otherwise it stays where it is. */
  readonly follows: boolean;
  readonly newLines: number;
  /** Called when the view leaves the end, or returns to it. */
  readonly onScrolledUp: (isUp: boolean) => void;
  readonly onGoToEnd: () => void;
  readonly serverName: (entry: ConsoleEntry) => string | null;
}) => {
  const {
    items,
    wraps,
    showsTimes,
    isReading,
    empty,
    follows,
    newLines,
    onScrolledUp,
    onGoToEnd,
    serverName,
  } = props;
  const words = useWords(consoleWords);
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
  });

  // After every render: rows are measured only once they are in the page.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !follows) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  });

  const look = ({ currentTarget: element }: UIEvent<HTMLDivElement>) => {
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    const wentUp = element.scrollTop < lastTop.current - 1;
    lastTop.current = element.scrollTop;
    if (follows && wentUp && !isAtEnd) onScrolledUp(true);
    if (!follows && !wentUp && isAtEnd) onScrolledUp(false);
  };

  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        role="log"
        aria-label={words.view}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className={`${classes.view} ${wraps ? classes.wraps : classes.keeps}`}
        onScroll={look}
      >
        {items.length === 0 && (
          <div className={classes.empty}>
            {isReading ? ['45%', '60%', '30%'].map((width) => <Ghost key={width} width={width} />) : empty}
          </div>
        )}
        <div className={classes.inner} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index];
            return (
              item && (
                <div
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  className={classes.item}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <FeedRow
                    item={item}
                    showsTime={showsTimes}
                    serverName={item.kind === 'entry' ? serverName(item.entry) : null}
                    format={format}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!follows && newLines > 0 && (
        <Button className={classes.toEnd} size="xs" onClick={onGoToEnd}>
          {words.newLines(newLines)}
        </Button>
      )}
    </div>
  );
};
