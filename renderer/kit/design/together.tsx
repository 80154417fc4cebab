import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { WaitsFor } from '../api/waits-for.ts';
import type { Readable } from './async-content.tsx';
import { LoadingSections } from './loading-shapes.tsx';
import classes from './together.module.css';

/** Reads that take longer are not waited for: they have their own skeleton. */
const longestWaitMs = 3000;

/**
 * Sections below each other that read in parallel: they appear together, so that none pushes another when its data
 * arrives. It waits for everything that they read for the first time.
 */
export const Together = (props: {
  /** In the shape of the content. */
  readonly loading?: ReactNode;
  /** Reads that were started outside and are shown inside. */
  readonly reads?: readonly Readable<unknown>[];
  readonly children: ReactNode;
}) => {
  const { loading = <LoadingSections />, reads = [], children } = props;
  const isReading = reads.some(({ data, error }) => data === undefined && error === null);
  const [isShown, setIsShown] = useState(false);
  const waiting = useRef(0);
  // A section that has just arrived may start another wait at the same moment.
  const look = useCallback(
    () =>
      queueMicrotask(() => {
        if (waiting.current === 0) setIsShown(true);
      }),
    [],
  );
  const enter = useCallback(() => {
    waiting.current += 1;
    return () => {
      waiting.current -= 1;
      look();
    };
  }, [look]);
  useLayoutEffect(() => (isReading ? enter() : undefined), [enter, isReading]);
  useLayoutEffect(() => {
    look();
    const timer = setTimeout(() => setIsShown(true), longestWaitMs);
    return () => clearTimeout(timer);
  }, [look]);
  return (
    <div className={classes.place}>
      {!isShown && loading}
      <div className={classes.sections} data-waits={!isShown || undefined}>
        <WaitsFor value={enter}>{children}</WaitsFor>
      </div>
    </div>
  );
};
