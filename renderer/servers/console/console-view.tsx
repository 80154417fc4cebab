import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type UIEvent, useLayoutEffect, useRef } from 'react';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { Ghost } from '../../kit/design/ghost.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './console.module.css';
import { consoleWords } from './console.words.ts';
import type { FeedItem } from './console-feed.ts';
import { FeedRow } from './feed-row.tsx';

/** Pixels: the height of a line, and the distance from the end that counts as being there. */
const lineHeight = 20;
const nearEnd = 8;

interface ConsoleViewProps {
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
}

/** The visible lines out of thousands; it stays at the end until the reader scrolls up. */
export const ConsoleView = (props: ConsoleViewProps) => {
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
