import { Tooltip, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../kit/access/access-state.ts';
import { FaultBoundary } from '../kit/design/fault-boundary.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { hrefOf } from '../kit/routing/hash-location.ts';
import { loadWhenServed } from '../kit/routing/page-chunks.ts';
import {
  type NavigationEntry,
  navigation,
  navigationGroups,
  type PageName,
  pageNames,
} from './navigation.ts';
import { navigationWords } from './navigation.words.ts';
import { isWithin } from './page-of-address.ts';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { reportChunkGone } from './shell-state.ts';
import type { Warning } from './warnings.ts';

const NavigationIcon = lazy(
  loadWhenServed(() =>
    import('./navigation-icons.tsx').then(({ NavigationIcon }) => ({ default: NavigationIcon })),
  ),
);

const NewsMark = lazy(
  loadWhenServed(() => import('./help/news-mark.tsx').then(({ NewsMark }) => ({ default: NewsMark }))),
);

/** The pages that the reader may see, in their groups. */
export const PageList = ({
  isNarrow = false,
  warnings,
  waiting,
  onGo,
}: {
  /** Icons only. */
  readonly isNarrow?: boolean;
  readonly warnings: Readonly<Partial<Record<PageName, Warning>>>;
  /** How many things wait for a person. */
  readonly waiting: Readonly<Partial<Record<PageName, number>>>;
  readonly onGo?: () => void;
}) => {
  const names = useWords(navigationWords);
  const can = useCan();
  const id = useId();
  const seen = pageNames.filter((name) => {
    const { permission }: NavigationEntry = navigation[name];
    return !permission || can.somewhere(permission);
  });
  return navigationGroups.map((group) => {
    const pages = seen.filter((name) => navigation[name].group === group);
    if (pages.length === 0) return null;
    const title = names.groups[group];
    return (
      <div key={group}>
        {title && isNarrow && <hr />}
        {title && !isNarrow && (
          <div className={classes.group} id={`${id}-${group}`}>
            {title}
          </div>
        )}
        <ul className={classes.list} {...(title && !isNarrow && { 'aria-labelledby': `${id}-${group}` })}>
          {pages.map((name) => (
            <li key={name}>
              <PageLine
                name={name}
                isNarrow={isNarrow}
                warning={warnings[name]}
                waiting={waiting[name] ?? 0}
                onGo={onGo}
              />
            </li>
          ))}
        </ul>
      </div>
    );
  });
};

/** More does not fit into the bar. */
const mostShown = 99;

/** Shows the present page on a low screen, too. `scrollIntoView` would also move the place from which Tab goes on. */
const scrollToShow = (line: HTMLElement): void => {
  const bar = line.closest('nav');
  if (!bar) return;
  const [shown, frame] = [line.getBoundingClientRect(), bar.getBoundingClientRect()];
  bar.scrollTop += Math.max(0, shown.bottom - frame.bottom) - Math.max(0, frame.top - shown.top);
};

const PageLine = (props: {
  readonly name: PageName;
  readonly isNarrow: boolean;
  readonly warning: Warning | undefined;
  readonly waiting: number;
  readonly onGo: (() => void) | undefined;
}) => {
  const { name, isNarrow, warning, waiting, onGo } = props;
  const words = useWords(shellWords);
  const names = useWords(navigationWords);
  const [address] = useLocation();
  const { path, page } = navigation[name];
  const isHere = isWithin(address, path);
  const line = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere && line.current) scrollToShow(line.current);
  }, [isHere]);
  const says = warning === 'grace' ? words.graceMark : warning && words[warning];
  return (
    <Tooltip label={names.pages[name]} position="right" disabled={!isNarrow} openDelay={0}>
      <a
        ref={line}
        href={hrefOf(path)}
        className={classes.link}
        {...(isHere && { 'aria-current': 'page' as const })}
        {...(onGo && { onClick: onGo })}
        onPointerEnter={page.preload}
        onFocus={page.preload}
      >
        {isNarrow ? (
          <>
            <span className={classes.icon}>
              <FaultBoundary shown={() => null} onFault={reportChunkGone}>
                <Suspense>
                  <NavigationIcon name={name} />
                </Suspense>
              </FaultBoundary>
            </span>
            <VisuallyHidden>{names.pages[name]}</VisuallyHidden>
          </>
        ) : (
          names.pages[name]
        )}
        {warning && (
          <span className={classes.dot} data-tone={warning === 'down' ? 'bad' : 'warn'} title={says}>
            <VisuallyHidden>({says})</VisuallyHidden>
          </span>
        )}
        {name === 'help' && (
          <FaultBoundary shown={() => null}>
            <Suspense>
              <NewsMark />
            </Suspense>
          </FaultBoundary>
        )}
        {waiting > 0 && (
          <span className={classes.count} title={words.waiting(waiting)}>
            <span aria-hidden>{waiting > mostShown ? `${mostShown}+` : waiting}</span>
            <VisuallyHidden>({words.waiting(waiting)})</VisuallyHidden>
          </span>
        )}
      </a>
    </Tooltip>
  );
};
