import { Tooltip, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import {
  type NavigationEntry,
  navigation,
  navigationGroups,
  type PageName,
  pageNames,
} from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { hrefOf } from '../routing/hash-location.ts';
import { isWithin } from './page-of-address.ts';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import type { Warning } from './warnings.ts';

export interface PageListProps {
  /** Signs alone. */
  readonly isNarrow?: boolean;
  readonly warnings: Readonly<Partial<Record<PageName, Warning>>>;
  /** How much waits for a person. */
  readonly waiting: Readonly<Partial<Record<PageName, number>>>;
  readonly onGo?: () => void;
}

/** The pages that one may see, in their groups. */
export const PageList = ({ isNarrow = false, warnings, waiting, onGo }: PageListProps) => {
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

/** More has no room in the bar. */
const mostShown = 99;

interface PageLineProps {
  readonly name: PageName;
  readonly isNarrow: boolean;
  readonly warning: Warning | undefined;
  readonly waiting: number;
  readonly onGo: (() => void) | undefined;
}

const PageLine = ({ name, isNarrow, warning, waiting, onGo }: PageLineProps) => {
  const words = useWords(shellWords);
  const names = useWords(navigationWords);
  const [address] = useLocation();
  const { path, icon: Icon, page } = navigation[name];
  const isHere = isWithin(address, path);
  const says = warning === 'grace' ? words.graceMark : warning && words[warning];
  return (
    <Tooltip label={names.pages[name]} position="right" disabled={!isNarrow} openDelay={0}>
      <a
        href={hrefOf(path)}
        className={classes.link}
        {...(isHere && { 'aria-current': 'page' as const })}
        {...(onGo && { onClick: onGo })}
        onPointerEnter={page.preload}
        onFocus={page.preload}
      >
        <Icon size={18} aria-hidden />
        {isNarrow ? <VisuallyHidden>{names.pages[name]}</VisuallyHidden> : names.pages[name]}
        {warning && (
          <span className={classes.dot} data-tone={warning === 'down' ? 'bad' : 'warn'} title={says}>
            <VisuallyHidden>({says})</VisuallyHidden>
          </span>
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
